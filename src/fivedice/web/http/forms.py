"""What a form has sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from litestar.datastructures import UploadFile

from fivedice.web.http.handling import Req


@dataclass(frozen=True, slots=True)
class Form:
    """Text fields, each with all its values, and the content of a file, where one was chosen."""

    fields: Mapping[str, Sequence[str]] = field(default_factory=dict)
    file: bytes | None = None

    def all(self, name: str) -> list[str]:
        return list(self.fields.get(name, ()))

    def last(self, name: str, otherwise: str = "") -> str:
        """The value of a field; of several with its name, that of the last."""
        return self.all(name)[-1] if name in self.fields else otherwise

    def ticked(self, name: str) -> bool:
        return self.last(name) == "yes"


async def form_of(request: Req) -> Form:
    found: dict[str, list[str]] = {}
    content = None
    for name, value in (await request.form()).multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value)
        elif isinstance(value, UploadFile) and name == "file" and value.filename:
            content = await value.read()
    return Form(found, content)
