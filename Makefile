# Everything from one clone, with nothing but Python and pip: `make demo`, `make test`.
#
#   PYTHON=python3.12   the interpreter; by default the newest of 3.13, 3.12 and 3.11 found here
#   VENV=.venv          where the environment goes
#   JOBS=2              how many processes the tests use; neighbours share what they compile
#   TESTS=tests/lazy    which tests; by default all
#   ROWS="lenet calls"  which benchmarks; by default all, and benchmarks/RESULTS.md is written
#   PEERS="torch mlx"   what they install to compare with: of torch, torch_xla, mlx; or all
#   CHECKS="lenet jit"  which checks of `make gpu`; by default all
#   ARRAY_API_TESTS=../array-api-tests   a copy of data-apis/array-api-tests, for `make conformance`
#   STABLEHLO=../stablehlo               a copy of openxla/stablehlo, for `make conformance`

VENV ?= .venv
JOBS ?= 2
PEERS ?= torch
ARRAY_API_TESTS ?= ../array-api-tests
STABLEHLO ?= ../stablehlo
BIN := $(VENV)/bin
PAGE := tools/page/page.html
PYENV := $(or $(PYENV_ROOT),$(HOME)/.pyenv)

# Prints the path of the Python that runs it, if that is 3.<argument> and can make environments.
# It is run, not only looked up: the shim of a version that pyenv has not selected exists and fails.
probe := import ensurepip, sys, venv; \
  print(sys.executable) if sys.version_info[:2] == (3, int(sys.argv[1])) else sys.exit(1)

# Prints one such path for each version that this machine has, the newest first. The argument is
# what to do after each: `break` to go on to the next version, `exit` to be content with one.
find_pythons = for minor in 13 12 11; do \
    for python in python3.$$minor \
        $$(ls -d "$(PYENV)"/versions/3.$$minor.*/bin/python3 2>/dev/null | sort -rV) python3; do \
      "$$python" -c '$(probe)' $$minor 2>/dev/null && $(1); \
    done; \
  done; true

PYTHON ?= $(or $(shell $(call find_pythons,exit)),python3)

# Prints what an environment depends on: the interpreter and this folder.
identify := import ensurepip, os, sys, venv; \
  sys.version_info >= (3, 11) or sys.exit("Python %d.%d" % sys.version_info[:2]); \
  print(sys.version, os.path.realpath(sys.executable), os.getcwd())

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
	  awk -F'|' '{ printf "%-30s%s\n", $$1, $$2 }'

.PHONY: demo
demo: $(VENV)/.demo ## Train LeNet-5 on handwritten digits, eagerly and then lazily
	$(BIN)/python examples/lenet_mnist.py --mode both --epochs 12

.PHONY: test
test: lint types floors budgets unit ## Everything that must hold: the five below

.PHONY: lint
lint: $(VENV)/.dev ## Style and format (ruff)
	$(BIN)/ruff check
	$(BIN)/ruff format --check

.PHONY: types
types: $(VENV)/.dev ## Types (mypy, strict)
	$(BIN)/mypy

.PHONY: floors
floors: $(VENV)/.dev ## Which package may import which (import-linter)
	$(BIN)/lint-imports

.PHONY: budgets
budgets: $(VENV)/.dev ## Lines of files, of functions, and in all
	$(BIN)/python tools/size.py

.PHONY: unit
unit: $(VENV)/.dev ## The tests
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(TESTS)

.PHONY: conformance
conformance: conformance-array-api conformance-stablehlo ## Other people's tests: the two below

.PHONY: conformance-array-api
conformance-array-api: $(VENV)/.dev ## The array API's own tests, where a copy is at hand (ARRAY_API_TESTS=path)
	@if [ ! -f "$(ARRAY_API_TESTS)/array_api_tests/__init__.py" ]; then \
	  echo "$@: no copy of github.com/data-apis/array-api-tests at '$(ARRAY_API_TESTS)':" \
	    "clone it with its submodule and run make $@ ARRAY_API_TESTS=path"; \
	else \
	  cd "$(ARRAY_API_TESTS)" && ARRAY_API_TESTS_MODULE=tracer ARRAY_API_TESTS_VERSION=2025.12 \
	    "$(CURDIR)/$(BIN)/python" -m pytest array_api_tests -q -n $(JOBS) -p no:cacheprovider \
	    --max-examples 20 --derandomize --disable-deadline --disable-warnings \
	    --xfails-file "$(CURDIR)/tests/interop/array-api-xfails.txt"; \
	fi

.PHONY: conformance-stablehlo
conformance-stablehlo: $(VENV)/.dev ## StableHLO's own programs, where a copy is at hand (STABLEHLO=path)
	@if [ ! -d "$(STABLEHLO)/stablehlo/testdata" ]; then \
	  echo "$@: no copy of github.com/openxla/stablehlo at '$(STABLEHLO)':" \
	    "clone it and run make $@ STABLEHLO=path"; \
	else \
	  STABLEHLO="$(STABLEHLO)" $(BIN)/python -m pytest -m conformance tests/conformance \
	    tests/tools -q -n $(JOBS) --dist worksteal -p no:cacheprovider; \
	fi

.PHONY: docs
docs: $(VENV)/.dev ## The list of operations, docs/ops.md, from the table of them
	$(BIN)/python -m tools.ops_doc docs/ops.md

.PHONY: page
page: $(PAGE) ## The page of dump-hlo, one file built from viewer/ (Node.js 20 and npm)

.PHONY: bench
bench: $(VENV)/.dev ## The benchmarks, each beside its peers, and benchmarks/RESULTS.md
	$(BIN)/python -m benchmarks.run --peers "$(PEERS)" \
	  --python "$(or $(lastword $(shell $(call find_pythons,break))),$(PYTHON))" $(ROWS)

.PHONY: gpu
gpu: ## What must hold on a GPU, and how fast it is; PYTHON has jax and its plugin, OUTPUT=file
	$(PYTHON) -m benchmarks.gpu $(if $(OUTPUT),--output "$(OUTPUT)") $(CHECKS)

.PHONY: interpreters
interpreters: ## The Pythons that this machine offers, the newest first
	@$(call find_pythons,break)

.PHONY: clean
clean: ## Remove every environment, build and cache
	rm -rf .venv .venv-* build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache \
	  .ruff_cache tools/page viewer/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. `.python` says what it was made for and is rewritten only when that has changed;
# `.demo` and `.dev` say what was installed.

.PHONY: always
$(VENV)/.python: always
	@python='$(PYTHON)'; identity=$$("$$python" -c '$(identify)') || { \
	  echo "$$python does not do: Python 3.11 or later, with venv, is needed (PYTHON=...)" >&2; \
	  exit 1; }; \
	if [ "$$identity" != "$$(cat $@ 2>/dev/null)" ]; then \
	  if [ -e $@ ]; then rm -rf "$(VENV)"; fi; \
	  mkdir -p "$(VENV)" && : > $@ && "$$python" -m venv "$(VENV)" && echo "$$identity" > $@; \
	fi

$(VENV)/.demo: $(VENV)/.python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable '.[cli,data]'
	@touch $@

$(VENV)/.dev: $(VENV)/.python pyproject.toml | page-with-npm
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $(VENV)/.demo $@

$(PAGE): $(shell find viewer -name node_modules -prune -o -type f -print)
	cd viewer && npm ci --silent --no-audit --no-fund && npm run --silent build

# Without npm everything else works, and what needs the page says so.
.PHONY: page-with-npm
page-with-npm:
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PAGE) || \
	  echo "the page of dump-hlo was not built" >&2; fi
