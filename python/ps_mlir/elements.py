# SPDX-License-Identifier: Apache-2.0
"""Element types: as MLIR, numpy and safetensors spell them."""

import numpy

# MLIR, numpy, safetensors. bf16 is numpy's only with the package ml_dtypes,
# which JAX brings along.
_NAMES = [
    ("f32", "float32", "F32"), ("f64", "float64", "F64"),
    ("f16", "float16", "F16"), ("bf16", "bfloat16", "BF16"),
    ("i64", "int64", "I64"), ("i32", "int32", "I32"), ("i16", "int16", "I16"),
    ("i8", "int8", "I8"), ("ui64", "uint64", "U64"), ("ui32", "uint32", "U32"),
    ("ui16", "uint16", "U16"), ("ui8", "uint8", "U8"), ("i1", "bool", "BOOL")
]
_TO_MLIR = {numpy_name: mlir for mlir, numpy_name, _ in _NAMES}
_TO_NUMPY = {mlir: numpy_name for mlir, numpy_name, _ in _NAMES}
_TO_SAFETENSORS = {numpy_name: safe for _, numpy_name, safe in _NAMES}
_FROM_SAFETENSORS = {safe: numpy_name for _, numpy_name, safe in _NAMES}


def element_of(dtype):
    """The MLIR element type of a numpy dtype."""
    name = numpy.dtype(dtype).name
    if name not in _TO_MLIR:
        raise TypeError(f"elements of type {name} are not supported")
    return _TO_MLIR[name]


def dtype_of(element):
    """The numpy dtype of an MLIR element type."""
    return _dtype(_TO_NUMPY[element])


def _dtype(name):
    if name == "bfloat16":
        import ml_dtypes
        return numpy.dtype(ml_dtypes.bfloat16)
    return numpy.dtype(name)


def safetensors_of(dtype):
    return _TO_SAFETENSORS[numpy.dtype(dtype).name]


def from_safetensors(name):
    return _dtype(_FROM_SAFETENSORS[name])


def tensor_type(shape, element):
    """`tensor<?x3xf32>`; None is the batch size."""
    dimensions = "".join(f"{'?' if size is None else size}x" for size in shape)
    return f"tensor<{dimensions}{element}>"


def parse_tensor_type(text):
    """The shape and the element type of `tensor<?x3xf32>`."""
    *sizes, element = text.removeprefix("tensor<").removesuffix(">").split("x")
    return tuple(None if size == "?" else int(size) for size in sizes), element
