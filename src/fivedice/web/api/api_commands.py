"""Commands in the OpenAPI document: one described schema each, made from the classes that declare them.

Requests are read as `CommandBody`, which has the fields of all commands and ignores what a command does not need, so
older requests keep working. The document also has descriptions of the shapes, which the framework leaves out.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from inspect import cleandoc
from types import UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Discriminator, Reference, Schema
from litestar.params import ParameterKwarg
from litestar.plugins import OpenAPISchemaPlugin
from litestar.response import Response
from litestar.types import Empty
from litestar.typing import FieldDefinition
from msgspec import NODEFAULT, Struct, structs

from fivedice.players import bots
from fivedice.table.actions import commands as cmd
from fivedice.table.seat_names import COLORS, TOKENS
from fivedice.web.http.forms import CommandBody

TAG = "command"

# Closed sets of values; the table would refuse or replace any other.
_CLOSED: dict[str, Any] = {"level": Literal[bots.LEVELS], "color": Literal[COLORS], "token": Literal[TOKENS]}


def _title(wire: str) -> str:
    return "".join(part.capitalize() for part in wire.split("-")) + "Command"


_TYPES = {wire: type(_title(wire), (), {"__doc__": one.__doc__}) for wire, one in cmd.COMMANDS.items()}
_HINTS = get_type_hints(CommandBody)
_ABOUT = {
    name: get_args(hint)[1]
    for name, hint in get_type_hints(CommandBody, include_extras=True).items()
    if get_origin(hint) is Annotated
}


class CommandUnion(OpenAPISchemaPlugin):
    """The body of /commands as one of its commands, distinguished by `command`."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        return field_definition.annotation is CommandBody

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:  # noqa: ARG002
        found = {wire: _describe(wire, schema_creator) for wire in _TYPES}
        mapping = {wire: f"#/components/schemas/{_title(wire)}" for wire in found}
        return Schema(one_of=list(found.values()), discriminator=Discriminator(TAG, mapping))


def _describe(wire: str, creator: Any) -> Reference:
    field, command, wanted = FieldDefinition.from_annotation(_TYPES[wire]), cmd.COMMANDS[wire], _fields_of(wire)
    needed = [name for name in wanted if name == TAG or _is_needed(command, name)]
    examples = [{TAG: wire, **body} for _, body in command.examples]
    schema = creator.create_component_schema(field, required=needed, property_fields=wanted, examples=examples)
    schema.description = cleandoc(command.__doc__ or "")
    found: Reference = creator.schema_registry.get_reference_for_field_definition(field)
    return found


def _fields_of(wire: str) -> dict[str, FieldDefinition]:
    command = cmd.COMMANDS[wire]
    own = [_own_field(each) for each in fields(command) if each.name != "player"]
    common = [_field("key", _wire_type("key")), _field("answer", _wire_type("answer"), "table")]
    if command is cmd.SitDown:
        common.append(_field("join_code", _wire_type("join_code")))
    if command.versioned:  # a correction may have `was` instead
        common.append(_field("version", _wire_type("version") if command is cmd.Correct else int))
    tag = FieldDefinition.from_kwarg(Literal[wire], TAG)
    return {each.name: each for each in (tag, *own, *common)}


def _is_needed(command: type[cmd.Command], name: str) -> bool:
    if name == "version":
        return command.versioned and command is not cmd.Correct
    return any(each.name == name and each.default is MISSING for each in fields(command))


def _own_field(field: Field[Any]) -> FieldDefinition:
    """Return a field of the command, in its type on the wire."""
    if field.default is MISSING:
        kind = _wire_type(field.name)
        parts = [part for part in get_args(kind) if part is not type(None)]
        return _field(field.name, parts[0] if isinstance(kind, UnionType) or len(parts) < len(get_args(kind)) else kind)
    return _field(field.name, _wire_type(field.name), Empty if field.default in (None, ()) else field.default)


def _field(name: str, kind: Any, default: Any = Empty) -> FieldDefinition:
    about = ParameterKwarg(description=_ABOUT[name])
    return FieldDefinition.from_kwarg(kind, name, default=default, kwarg_definition=about)


def _wire_type(name: str) -> Any:
    if name not in _CLOSED:
        return _HINTS[name]
    closed = _CLOSED[name]
    return closed | None if type(None) in get_args(_HINTS[name]) else closed


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
        if issubclass(kind, Struct) and kind.__struct_config__.tag_field is not None:
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
    made = {each.name: _MADE for each in structs.fields(kind) if each.default_factory is not NODEFAULT}
    return {each.name: Empty if each.default is NODEFAULT else each.default for each in structs.fields(kind)} | made
