# mypy: disable-error-code="no-untyped-call, import-untyped"
"""A vector of eight float64 (or sixteen float32) for numba kernels: one wide register if the machine has such.

Numba has no vector types, and loops over eight lanes become vector code only if the compiler can prove much that it
cannot see. So the type is made here by hand: the intrinsics below generate LLVM code directly, the compiler splits it
for narrower machines, and nothing depends on the optimiser or on environment variables. The number type of a kernel's
arrays decides which of the two vectors it uses.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PrimitiveModel
from numba.extending import intrinsic, register_model
from numba.np.arrayobj import make_array

LANES = 8  # of float64


class _Lanes(types.Type):
    def __init__(self, number: Any) -> None:
        super().__init__(name=f"Lanes({number})")
        self.number = number
        self.count = 64 * LANES // number.bitwidth
        self.vector = ir.VectorType(ir.DoubleType() if number == types.float64 else ir.FloatType(), self.count)


lanes_type = _Lanes(types.float64)


@register_model(_Lanes)
class _LanesModel(PrimitiveModel):
    def __init__(self, manager: Any, frontend: Any) -> None:
        super().__init__(manager, frontend, frontend.vector)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, offset: Any) -> Any:
    data = make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [offset]), _Lanes(kind.dtype).vector.as_pointer())


def _everywhere(builder: Any, kind: _Lanes, number: Any) -> Any:
    empty = ir.Constant(kind.vector, ir.Undefined)
    first = builder.insert_element(empty, number, cgutils.int32_t(0))
    return builder.shuffle_vector(first, empty, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None))


@intrinsic
def lanes_in(_typing: Any, array: Any) -> Any:
    """Return how many numbers of this array make one vector."""
    count = _Lanes(array.dtype).count

    def generate(_context: Any, _builder: Any, _signature: Any, _args: Any) -> Any:
        return ir.Constant(ir.IntType(64), count)

    return types.intp(array), generate


@intrinsic
def load(_typing: Any, array: Any, _offset: Any) -> Any:
    """Return a vector of numbers of an array, from an offset on."""
    size = array.dtype.bitwidth // 8

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_pointer(context, builder, signature.args[0], *args), align=size)

    return _Lanes(array.dtype)(array, types.intp), generate


@intrinsic
def store(_typing: Any, array: Any, _offset: Any, lanes: Any) -> Any:
    """Write a vector into an array, from an offset on."""
    size = array.dtype.bitwidth // 8

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array, offset, lanes = args
        builder.store(lanes, _pointer(context, builder, signature.args[0], array, offset), align=size)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


def _lane_by_lane(instruction: str) -> Any:
    def operate(_typing: Any, left: Any, right: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return getattr(builder, instruction)(*args)

        return left(left, right), generate

    return intrinsic(operate)


add, minus, times = map(_lane_by_lane, ("fadd", "fsub", "fmul"))


@intrinsic
def larger(_typing: Any, left: Any, right: Any) -> Any:
    """Return the larger of two, lane by lane; it compiles to one max instruction."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.select(builder.fcmp_ordered(">", *args), *args)

    return left(left, right), generate


@intrinsic
def backwards(_typing: Any, lanes: Any) -> Any:
    """Return the same numbers in reverse order."""

    def generate(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        count = signature.return_type.count
        order = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(count - 1, -1, -1)))
        return builder.shuffle_vector(args[0], args[0], order)

    return lanes(lanes), generate


@intrinsic
def part_if(_typing: Any, value: Any, _bar: Any, part: Any) -> Any:
    """Return `part` where the value reaches the bar, else 0, lane by lane."""

    def generate(_context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value, bar, part = args
        nothing = ir.Constant(signature.return_type.vector, [0.0] * signature.return_type.count)
        return builder.select(builder.fcmp_ordered(">=", value, bar), part, nothing)

    return part(value, value, part), generate


@intrinsic
def either(_typing: Any, value: Any, _bar: Any, yes: Any, _no: Any) -> Any:
    """Return `yes` where the value reaches the bar, else `no`, lane by lane."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        value, bar, yes, no = args
        return builder.select(builder.fcmp_ordered(">=", value, bar), yes, no)

    return yes(value, value, yes, yes), generate


@intrinsic
def everywhere(_typing: Any, _number: Any) -> Any:
    """Return a vector with one number in all eight lanes."""

    def generate(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return _everywhere(builder, lanes_type, args[0])

    return lanes_type(types.float64), generate


@intrinsic
def everywhere_as(_typing: Any, array: Any, number: Any) -> Any:
    """Return a vector with one number in all lanes, of the type that this array holds."""
    kind = _Lanes(array.dtype)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return _everywhere(builder, kind, context.cast(builder, args[1], signature.args[1], kind.number))

    return kind(array, number), generate


@intrinsic
def peek(_typing: Any, table: Any, _place: Any) -> Any:
    """Return a number from a one-dimensional table; whole numbers must be unsigned, and become an index.

    Numba's own indexing checks each time whether the index is negative, and in the innermost loops that check costs
    more than the work.
    """
    whole = isinstance(table.dtype, types.Integer)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = make_array(signature.args[0])(context, builder, args[0]).data
        number = builder.load(builder.gep(data, [args[1]]))
        return builder.zext(number, ir.IntType(64)) if whole else number

    return (types.intp if whole else types.float64)(table, types.intp), generate
