"""nginx and Caddy in front of a server, with the lines that docs/operations.md has for a server below a path."""

import os
import re
import socket
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
BACKEND = "127.0.0.1:8765"  # as the page names the server
NGINX = """daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{port}; {lines} }}
}}
"""
CADDY = "{{\n  admin off\n  auto_https off\n  default_bind 127.0.0.1\n}}\n{lines}"


class Proxy:
    """`with Proxy("nginx", port, folder, leaves_path=True) as proxy:` passes requests on to a port of the loopback."""

    def __init__(self, name: str, backend: int, folder: Path, *, leaves_path: bool) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self._home = {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}  # what Caddy keeps
        write = {"nginx": self._configure_nginx, "caddy": self._configure_caddy}[name]
        self._command = write(folder, f"127.0.0.1:{backend}", leaves_path=leaves_path)

    def _configure_nginx(self, folder: Path, backend: str, *, leaves_path: bool) -> list[str]:
        lines = _read_block("location /dice/").replace(f"{BACKEND};", f"{backend};" if leaves_path else f"{backend}/;")
        assert backend in lines
        (folder / "nginx.conf").write_text(NGINX.format(folder=folder, port=self.port, lines=lines))
        return ["nginx", "-e", f"{folder}/nginx.log", "-c", f"{folder}/nginx.conf"]

    def _configure_caddy(self, folder: Path, backend: str, *, leaves_path: bool) -> list[str]:
        lines = _read_block("example.org {").replace(BACKEND, backend)
        lines = lines.replace("example.org {", f"http://localhost:{self.port} {{")
        if not leaves_path:
            lines = lines.replace("handle /dice/*", "handle_path /dice/*")
        assert backend in lines
        (folder / "Caddyfile").write_text(CADDY.format(lines=lines))
        return ["caddy", "run", "--adapter", "caddyfile", "--config", f"{folder}/Caddyfile"]

    def __enter__(self) -> Self:
        quiet: Any = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(self._command, env=os.environ | self._home, **quiet)
        while self._process.poll() is None:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return self
        raise RuntimeError(f"the proxy did not start: {self._command}")

    def __exit__(self, *_: object) -> None:
        self._process.kill()  # Caddy would wait for the end of the live streams
        self._process.wait(timeout=20)


def _read_block(start: str) -> str:
    """Return the block of the section "Below a path" that starts so."""
    section = PAGE.read_text(encoding="utf-8").partition("### Below a path")[2]
    blocks = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
    return next(block for block in blocks if block.startswith(start))
