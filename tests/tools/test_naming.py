"""Results under names that are read: layers and ops, in every region, and nothing lost."""

from lowering.mlir import parse_mlir
from tools.formats.naming import readable

TEXT = """\
module @main {
  func.func @main(%arg0: tensor<4xf32>, %Net.a_tanh: tensor<i1>) -> tensor<4xf32> {
    %cst = stablehlo.constant dense<"%Net.a"> : tensor<4x!x.y>
    %Net.a = stablehlo.tanh %arg0 : tensor<4xf32>
    %Net.a_0 = stablehlo.tanh %Net.a : tensor<4xf32>
    %a.a = stablehlo.tanh %Net.a_0 : tensor<4xf32>
    %grad28grad28Net.a2929_3:2 = "stablehlo.if"(%Net.a_tanh) ({
      %Net.b = stablehlo.sine %Net.a : tensor<4xf32>
      stablehlo.return %Net.b, %Net.b : tensor<4xf32>, tensor<4xf32>
    }, {
      %Net.b = stablehlo.cosine %Net.a_0 : tensor<4xf32>
      stablehlo.return %Net.b, %a.a : tensor<4xf32>, tensor<4xf32>
    }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)
    %0 = stablehlo.add %grad28grad28Net.a2929_3#0, %grad28grad28Net.a2929_3#1 : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
"""


def test_names() -> None:
    assert readable(TEXT).splitlines()[2:-3] == [
        '    %cst = stablehlo.constant dense<"%Net.a"> : tensor<4x!x.y>',
        "    %a_tanh = stablehlo.tanh %arg0 : tensor<4xf32>",
        "    %a_tanh_1 = stablehlo.tanh %a_tanh : tensor<4xf32>",
        "    %a_tanh_2 = stablehlo.tanh %a_tanh_1 : tensor<4xf32>",
        '    %grad_grad_a_if:2 = "stablehlo.if"(%Net.a_tanh) ({',
        "      %b_sine = stablehlo.sine %a_tanh : tensor<4xf32>",
        "      stablehlo.return %b_sine, %b_sine : tensor<4xf32>, tensor<4xf32>",
        "    }, {",
        "      %b_cosine = stablehlo.cosine %a_tanh_1 : tensor<4xf32>",
        "      stablehlo.return %b_cosine, %a_tanh_2 : tensor<4xf32>, tensor<4xf32>",
        "    }) : (tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>)",
        "    %0 = stablehlo.add %grad_grad_a_if#0, %grad_grad_a_if#1 : tensor<4xf32>",
    ]


def test_it_is_the_same_program() -> None:
    text = "\n".join(line for line in TEXT.split("\n") if "!x.y" not in line)
    assert str(parse_mlir(readable(text), "b")) == str(parse_mlir(text, "a"))


def test_a_name_that_an_argument_has_is_taken() -> None:
    text = TEXT.replace("%Net.a_tanh", "%a_tanh")
    assert "    %a_tanh_1 = stablehlo.tanh %arg0 : " in readable(text)
