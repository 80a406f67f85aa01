# mypy: disable-error-code="no-untyped-call, import-untyped"
"""A vector of eight float64 for numba kernels: one wide register where the machine has such, else several.

Numba has no vector types, and loops over eight lanes become vector code only if the compiler can prove much that
it cannot see. So the type is made here by hand: the intrinsics below say in LLVM's own words what is meant, the
compiler splits it for narrower machines, and nothing depends on an optimiser's mood or on environment variables.

Numba keeps compiled kernels by the date of the file that they stand in. After a change here, touch `kernels.py`.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import make_array

LANES = 8
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)


class _Lanes(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


lanes_type = _Lanes()


@register_model(_Lanes)
class _LanesModel(PrimitiveModel):
    def __init__(self, manager: Any, frontend: Any) -> None:
        super().__init__(manager, frontend, _VECTOR)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _VECTOR.as_pointer())


@intrinsic
def load(_typing: Any, array: Any, _offset: Any) -> Any:
    """The eight numbers of an array from an offset on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=8)

    return lanes_type(array, types.intp), generate


@intrinsic
def store(_typing: Any, array: Any, _offset: Any, _lanes: Any) -> Any:
    """Write eight lanes into an array from an offset on."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, offset, lanes = args
        builder.store(lanes, _pointer(context, builder, signature.args[0], array, offset), align=8)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes_type), generate


@intrinsic
def add(_typing: Any, _left: Any, _right: Any) -> Any:
    """The sum, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.fadd(*args)

    return lanes_type(lanes_type, lanes_type), generate


@intrinsic
def times(_typing: Any, _left: Any, _right: Any) -> Any:
    """The product, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.fmul(*args)

    return lanes_type(lanes_type, lanes_type), generate


@intrinsic
def larger(_typing: Any, _left: Any, _right: Any) -> Any:
    """The larger of two, lane by lane; written so that it becomes one max instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return lanes_type(lanes_type, lanes_type), generate


@intrinsic
def everywhere(_typing: Any, _number: Any) -> Any:
    """One number in all lanes."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        empty = ir.Constant(_VECTOR, ir.Undefined)
        first = builder.insert_element(empty, args[0], cgutils.int32_t(0))
        return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), LANES), None))

    return lanes_type(types.float64), generate


@intrinsic
def peek(_typing: Any, table: Any, _place: Any) -> Any:
    """A number from a one-dimensional table; whole ones must be unsigned, and come out as an index.

    Numba's own indexing asks each time whether the place is negative, and in the innermost loops that question
    costs more than the work it guards.
    """
    whole = isinstance(table.dtype, types.Integer)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, args[0]).data
        number = builder.load(builder.gep(data, [args[1]]))
        return builder.zext(number, ir.IntType(64)) if whole else number

    return (types.intp if whole else types.float64)(table, types.intp), generate
