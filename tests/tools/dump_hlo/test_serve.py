"""`dump-hlo serve`: where it listens, what it answers, and the page as a file."""

from __future__ import annotations

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator

from lowering import PIPELINES
from tests.tools.dump_hlo import bundles
from tests.tools.dump_hlo.conftest import SCHEMAS, checked
from tools.dump_hlo.commands import serve
from tools.pictures import page
from tools.runs.bundle import Bundle
from tools.serving import BundleData, Server

BUILT = f"<!doctype html><title>page</title>{page._SLOT}\n"
FIRST = "train_L3_000001"


@pytest.fixture(autouse=True)
def built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A page that stands for the one that is built with npm."""
    path = tmp_path / "built.html"
    path.write_text(BUILT)
    monkeypatch.setattr(page, "_PAGE", path)
    return path


@pytest.fixture
def bundle(tmp_path: Path) -> str:
    return bundles.small(tmp_path / "train-hlo")


@pytest.fixture
def server(bundle: str) -> Iterator[Server]:
    with Server(BUILT, BundleData(Bundle.open(bundle))) as made:
        thread = threading.Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def get(server: Server, path: str, host: str = "", method: str = "GET") -> tuple[int, str, bytes]:
    """The status, the type and the content of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request(method, path, headers={"Host": host or f"127.0.0.1:{server.port}"})
    answer = connection.getresponse()
    found = answer.status, answer.headers["Content-Type"], answer.read()
    connection.close()
    return found


def data(server: Server, path: str, status: int = 200) -> dict:
    found, kind, content = get(server, path)
    assert (found, kind) == (status, "application/json; charset=utf-8")
    return json.loads(content)


def test_it_serves_the_page_and_its_data(server):
    assert get(server, "/") == (200, "text/html; charset=utf-8", BUILT.encode())
    found = data(server, "/api/page")
    assert found["title"] == "train.py"
    assert [program["id"] for program in found["programs"]] == [FIRST, "train_L7_000002"]
    assert [program["runs"] for program in found["programs"]] == [1, 2]
    assert [event["kind"] for event in found["events"]] == ["run"] * 3
    stages = found["programs"][0]["stages"]
    assert stages[0] == "trace"
    assert len([s for s in stages if s.startswith("pass:")]) == len(PIPELINES["cpu"])
    assert {"lowered", "hlo-opt", "memory"} < set(stages)


def test_graphs_are_what_their_schema_says(server):
    found = data(server, f"/api/graphs/{FIRST}/trace")
    schema = json.loads((SCHEMAS / "graph.json").read_text())
    Draft202012Validator(schema).validate(found["graph"])
    nodes = {node["id"]: node for node in found["graph"]["nodes"]}
    assert nodes["%1"]["op"] == "tanh"
    assert nodes["%1"]["path"] == ["Net", "Net.second"]


@pytest.mark.parametrize("stage", ["pass:cse#1", "lowered", "hlo-opt"])
def test_what_the_bundle_has_not_is_made_of_the_recording(server, stage):
    text = data(server, f"/api/texts/{FIRST}/{quote(stage)}")
    assert text["problem"] == ""
    assert "tanh" in text["text"]
    assert "train.py:4 Net.second" in text["text"]
    graph = data(server, f"/api/graphs/{FIRST}/{quote(stage)}")["graph"]
    assert "tanh" in [node["op"] for node in graph["nodes"]]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/api/texts/other/trace", "has no program 'other'"),
        ("/api/graphs", "there is no such page"),
        ("/../../etc/passwd", "there is no such page"),
        ("/index.html", "there is no such page"),
        ("/api/texts/..%2F..%2Fx/trace", "has no program"),
    ],
)
def test_what_is_not_there_is_said(server, path, message):
    assert message in data(server, path, 404)["error"]


@pytest.mark.parametrize(
    ("path", "problem"),
    [
        (f"/api/texts/{FIRST}/pass%3Anone", "is no pass of this device"),
        (f"/api/graphs/{FIRST}/memory", "no program with a graph"),
        (f"/api/texts/{FIRST}/other", "has no stage 'other'; it has trace"),
    ],
)
def test_a_stage_that_there_is_not_leaves_the_page_usable(server, path, problem):
    assert problem in data(server, path)["problem"]


def test_a_bundle_that_grows_is_shown_as_it_is(server, bundle):
    more = bundles.program(3, 9)
    folder = Path(bundle) / "programs" / more["id"]
    folder.mkdir()
    (folder / "program.json").write_text(json.dumps(more))
    (folder / "trace.mlir").write_text(bundles.TRACE)
    assert len(data(server, "/api/page")["programs"]) == 3
    assert data(server, f"/api/graphs/{more['id']}/trace")["graph"]["nodes"]


def test_a_bundle_in_a_zip_is_served_too(here, bundle, tmp_path):
    assert here("pack", bundle, str(tmp_path / "train.zip"))[0] == 0
    found = BundleData(Bundle.open(str(tmp_path / "train.zip")))
    assert len(found.fresh()["programs"]) == 2
    assert "tanh" in found.text(FIRST, "lowered")["text"]


def test_other_hosts_are_refused(server):
    status, _, content = get(server, "/api/page", "attacker.example")
    assert status == 403
    assert b"no other host" in content
    assert get(server, "/", f"localhost:{server.port}")[0] == 200
    assert get(server, "/", "127.0.0.1")[0] == 403


def test_it_can_only_be_read(server):
    assert get(server, "/api/page", method="POST")[0] == 501
    status, _, content = get(server, "/", method="HEAD")
    assert (status, content) == (200, b"")


def test_it_listens_on_this_machine_alone(server):
    assert server.server_address[0] == "127.0.0.1"
    assert server.url == f"http://127.0.0.1:{server.port}/"


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_it_says_where_it_is_and_opens_a_browser(here, bundle, monkeypatch, form):
    opened = []
    monkeypatch.setattr(webbrowser, "open", opened.append)

    def interrupted(self: Server) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(serve.Server, "serve_forever", interrupted)
    code, out, err = here("serve", bundle, *form)
    assert (code, err) == (0, "dump-hlo: stopped\n")
    (url,) = opened
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
    if form:
        assert checked("serve", out) == {
            "schema": "dump-hlo/serve/1",
            "url": url,
            "port": int(url.split(":")[2].strip("/")),
        }
    else:
        assert out == f"{url}\n"


def test_the_page_as_a_file_holds_everything(here, bundle, tmp_path):
    code, out, _ = here("serve", bundle, "-o", str(tmp_path / "page.html"))
    assert (code, out) == (0, "")
    text = (tmp_path / "page.html").read_text()
    start, end = BUILT.split("null")
    held = json.loads(text.removeprefix(start).removesuffix(end))
    assert held["schema"] == "dump-hlo/page/1"
    stages = held["stages"][FIRST]
    assert list(stages) == ["trace"]
    assert "stablehlo.tanh" in stages["trace"]["text"]
    assert stages["trace"]["graph"]["nodes"]


def test_a_port_that_is_taken_is_said(here, bundle):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        code, out, err = here("serve", bundle, "--no-browser", "--port", str(port))
    assert (code, out) == (2, "")
    assert f"cannot listen on port {port}: " in err


@pytest.mark.parametrize(
    ("argv", "code", "message"),
    [
        (("nothing",), 2, "there is no bundle 'nothing'"),
        (("{bundle}", "--port", "70000"), 2, "--port needs a number from 0 to 65535, got 70000"),
        (("{bundle}", "--port", "x"), 2, "--port"),
        ((), 2, "BUNDLE"),
        (("{bundle}", "-o", "{bundle}"), 2, "cannot write"),
    ],
)
def test_wrong_usage(here, bundle, argv, code, message):
    found, out, err = here("serve", *(word.format(bundle=bundle) for word in argv))
    assert (found, out) == (code, "")
    assert message in err


def test_without_a_built_page_it_says_how(here, bundle, built):
    built.unlink()
    code, out, err = here("serve", bundle, "--no-browser")
    assert (code, out) == (6, "")
    assert "make page" in err


def test_a_program_that_can_not_be_read_is_a_problem_of_its_own(tmp_path, here):
    path = bundles.small(tmp_path / "broken")
    (Path(path) / "programs" / FIRST / "trace.mlir").write_bytes(b"\xff\x00module {")
    found = BundleData(Bundle.open(path))
    assert "trace:1:" in found.graph(FIRST, "trace")["problem"]
    assert found.graph("train_L7_000002", "trace")["graph"]["nodes"]


def test_every_fault_of_one_stage_is_a_problem_of_its_own(bundle, monkeypatch):
    def at_stages(*given: object) -> list:
        raise LookupError("no function")

    monkeypatch.setattr("tools.serving.data.at_stages", at_stages)
    found = BundleData(Bundle.open(bundle))
    assert found.text(FIRST, "hlo")["problem"] == "LookupError: no function"


def test_a_stage_of_several_texts_is_shown_whole(server):
    found = data(server, f"/api/texts/{FIRST}/llvm")
    assert found["problem"] == ""
    assert found["text"].startswith("// ---- ")
    assert "define" in found["text"]


def test_what_json_has_no_words_for_reaches_the_browser(tmp_path):
    path = bundles.write(tmp_path / "odd", [bundles.program(1, 3, name="\ud800")], [])
    with Server(BUILT, BundleData(Bundle.open(path))) as odd:
        status, _, content = odd.answer(f"127.0.0.1:{odd.port}", "/api/page")
    assert status == 200
    assert json.loads(content)["programs"][0]["name"] == "\ud800"
    assert page.page_json({"at": [float("inf"), 1.5, float("nan")]}) == '{"at":[null,1.5,null]}'


def test_a_browser_that_goes_away_is_no_error(server, capsys):
    for error, said in {ConnectionResetError(): "", ValueError("odd"): "ValueError: odd"}.items():
        try:
            raise error
        except Exception:
            server.handle_error(None, None)
        assert said in (told := capsys.readouterr().err)
        assert bool(said) == bool(told)


def test_an_interrupt_ends_it(bundle, built):
    """The whole command in processes of its own, with the page that it has or has not."""
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from tools.dump_hlo import main; sys.exit(main())"
    )  # a shell has what it runs in the background ignore interrupts
    command = [sys.executable, "-c", program, "serve", bundle, "--no-browser"]
    root = Path(__file__).parents[3]
    child = subprocess.Popen(
        command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    url = child.stdout.readline()
    if not url:
        assert child.wait(30) == 6
        pytest.skip("needs the page: make page")
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert out == ""
    assert "Traceback" not in err
    assert child.returncode in (0, 130)


def test_the_document(here, tmp_path, monkeypatch):
    """What docs/page.md says works: its code leaves the bundle that its commands show."""
    monkeypatch.chdir(tmp_path)
    document = (Path(__file__).parents[3] / "docs" / "page.md").read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```", document, re.MULTILINE | re.DOTALL)
    exec(compile(code, "docs/page.md", "exec"), {"__name__": "page"})
    commands = re.findall(r"^\$ dump-hlo (.*)$", document, re.MULTILINE)
    assert commands == ["serve lenet-hlo", "serve lenet-hlo -o lenet.html"]
    assert here(*commands[1].split())[0] == 0
    held = (tmp_path / "lenet.html").read_text()
    assert "LeNet.conv1" in held
    assert '"kind":"compile"' in held
