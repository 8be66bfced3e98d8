"""The page in a real browser, without a window and without a network."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.page import programs
from tests.tools.dump_hlo import bundles
from tools.pictures import html, page
from tools.runs.bundle import Bundle
from tools.serving import BundleData, Server

_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Open = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    if not page._PAGE.exists():
        pytest.skip("needs the page: make page")
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=found, headless=True, args=_QUIET)
        yield made
        made.close()


@pytest.fixture(scope="session")
def tab(browser: Browser) -> Page:
    """One tab for all tests: a new one takes longer than most of them."""
    made = browser.new_context().new_page()
    made.set_default_timeout(10_000)
    return made


@pytest.fixture
def open_page(tab: Page) -> Iterator[Open]:
    """Opens an address, seen as media and size say; an error in the page is one of the test."""
    errors: list[str] = []
    asked: list[str] = []
    listeners = {
        "pageerror": lambda error: errors.append(str(error)),
        "console": lambda line: line.type == "error" and errors.append(line.text),
        "request": lambda request: asked.append(request.url),
    }

    def opened(url: str, width: int = 1400, height: int = 900, **media: str) -> Page:
        tab.set_viewport_size({"width": width, "height": height})
        tab.emulate_media(**{"color_scheme": "light", "reduced_motion": "no-preference", **media})
        tab.goto("about:blank")
        tab.goto(url)
        tab.wait_for_selector("html[data-painted]")
        return tab

    for event, listener in listeners.items():
        tab.on(event, listener)
    yield opened
    for event, listener in listeners.items():
        tab.remove_listener(event, listener)
    assert errors == []
    # nothing but the page itself, and on a server its data, is ever asked for
    allowed = ("file://", "http://127.0.0.1:", "data:", "about:")
    assert [url for url in asked if not url.startswith(allowed)] == []


@pytest.fixture(scope="session")
def files(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Pages as files: of a small program, and of ones of 2,000 and of 10,000 operations."""
    folder = tmp_path_factory.mktemp("page")
    graphs = {
        "small": programs.small(),
        "large": programs.large(2_000),
        "huge": programs.large(10_000),
    }
    for name, graph in graphs.items():
        (folder / f"{name}.html").write_text(html(graph, f"module @{name} {{\n}}\n"))
    return {name: (folder / f"{name}.html").as_uri() for name in graphs}


@pytest.fixture
def small(open_page: Open, files: dict[str, str]) -> Page:
    return open_page(files["small"])


@pytest.fixture
def large(open_page: Open, files: dict[str, str]) -> Page:
    return open_page(files["large"])


@contextmanager
def serving(bundle: str) -> Iterator[str]:
    """The address of a bundle's page."""
    with Server(page.built_page(), BundleData(Bundle.open(bundle))) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server.url
        server.shutdown()
        thread.join()


@pytest.fixture(scope="session")
def address(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a bundle is served: two programs and the events of their runs."""
    folder: Path = tmp_path_factory.mktemp("bundle") / "train-hlo"
    with serving(bundles.small(folder)) as url:
        yield url


@pytest.fixture
def served(open_page: Open, address: str) -> Page:
    return open_page(address)
