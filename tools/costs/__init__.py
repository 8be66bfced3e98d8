"""What programs cost: work, bytes moved, and how much memory is held at once."""

from tools.costs.counting import Cost
from tools.costs.peak import Live, Peak, peak
from tools.costs.totals import Costs, Row, cost_of, costs

__all__ = ["Cost", "Costs", "Live", "Peak", "Row", "cost_of", "costs", "peak"]
