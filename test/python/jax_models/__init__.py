# SPDX-License-Identifier: Apache-2.0
"""JAX losses as users write them; CASES has a function for each."""

from jax_models import dense, images, recommenders, sequences
from jax_models.case import SAMPLES, CASES, Case, Draw

__all__ = ["SAMPLES", "CASES", "Case", "Draw"]
