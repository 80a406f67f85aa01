"""The OpenAPI document: descriptions of the shapes, which the framework leaves out, and its encoded form."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import cleandoc
from typing import Any, Literal

from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Response
from litestar.types import Empty
from litestar.typing import FieldDefinition
from msgspec import NODEFAULT, Struct, structs


class EncodedOnce(JsonRenderPlugin):
    """The document as JSON, encoded and compressed once: it is large, and sent from the event loop."""

    _made: tuple[bytes, bytes] | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> Any:
        if self._made is None:
            plain = super().render(request, openapi_schema)
            self._made = plain, gzip.compress(plain, mtime=0)
        squeezes = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"vary": "Accept-Encoding"} | ({"content-encoding": "gzip"} if squeezes else {})
        return Response(self._made[squeezes], media_type=self.media_type, headers=headers)


class DescribedShapes(OpenAPISchemaPlugin):
    """Our dataclasses and structs, with their descriptions."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        kind = field_definition.annotation
        ours = isinstance(kind, type) and kind.__module__.startswith("fivedice.")
        return ours and (is_dataclass(kind) or issubclass(kind, Struct))

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        kind = field_definition.type_
        hints = field_definition.get_type_hints(include_extras=True)
        defaults = _struct_defaults(kind) if issubclass(kind, Struct) else _dataclass_defaults(kind)
        parts = {
            name: FieldDefinition.from_kwarg(hints[name], name, default=Empty if default is _MADE else default)
            for name, default in defaults.items()
        }
        needed = [name for name, default in defaults.items() if default is Empty]
        if issubclass(kind, Struct):
            config = kind.__struct_config__
            parts[str(config.tag_field)] = FieldDefinition.from_kwarg(Literal[config.tag], str(config.tag_field))
            needed.append(str(config.tag_field))
        schema: Schema = schema_creator.create_component_schema(
            field_definition, required=sorted(needed), property_fields=parts
        )
        schema.description = cleandoc(kind.__doc__ or "")
        return schema


_MADE = object()  # stands for a default factory: the field is optional, and its default is not shown


def _dataclass_defaults(kind: Any) -> Mapping[str, Any]:
    made = {each.name: _MADE for each in fields(kind) if each.default_factory is not MISSING}
    return {each.name: Empty if each.default is MISSING else each.default for each in fields(kind)} | made


def _struct_defaults(kind: type[Struct]) -> Mapping[str, Any]:
    """Return the defaults of a struct; ours are tagged, and have plain defaults."""
    return {each.name: Empty if each.default is NODEFAULT else each.default for each in structs.fields(kind)}
