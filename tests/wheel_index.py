"""A package index on this machine, and wheels to put on it: what pip downloads from in the tests."""

import base64
import hashlib
import threading
import zipfile
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def make_wheel(folder, distribution, version, files, requires=()):
    """Write a wheel of the given files (name → bytes) and return its path."""
    stem = f"{distribution.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}"]
    metadata += [f"Requires-Dist: {requirement}" for requirement in requires]
    files = files | {
        f"{info}/METADATA": "\n".join(metadata).encode() + b"\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in files.items()]
    files = files | {f"{info}/RECORD": "\n".join([*record, f"{info}/RECORD,,", ""]).encode()}
    path = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, content in files.items():
            wheel.writestr(name, content)
    return path


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


class Index(ThreadingHTTPServer):
    """Serves one wheel; counts its downloads, and holds them back while ``open_gate`` is not set."""

    def __init__(self, wheel):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.wheel = wheel
        self.downloads = 0
        self.asked = threading.Event()
        self.open_gate = threading.Event()
        self.open_gate.set()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/simple"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        wheel = self.server.wheel
        if self.path.endswith(".whl"):
            self.server.downloads += 1
            self.server.asked.set()
            self.server.open_gate.wait(60)
            self._answer(wheel.read_bytes(), "application/octet-stream")
        else:
            self._answer(f'<a href="/{wheel.name}">{wheel.name}</a>'.encode(), "text/html")

    def _answer(self, content, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Say nothing."""


@contextmanager
def serving(wheel):
    """Run an index that holds one wheel."""
    with Index(wheel) as index:
        thread = threading.Thread(target=index.serve_forever, daemon=True)
        thread.start()
        try:
            yield index
        finally:
            index.open_gate.set()
            index.shutdown()
            thread.join()
