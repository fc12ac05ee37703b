"""The one exception of this package."""


class AttentionError(ValueError):
    """Input that cannot be computed with, or explained.

    The message says which op or argument, what was got, what was wanted and the likely fix:

    >>> from attention_core import attention
    >>> attention([[1.0, 2.0]], [[1.0]], [[1.0]])
    Traceback (most recent call last):
    ...
    attention_core.errors.AttentionError: matmul: Q is 1×2 and Kᵀ is 1×1: the inner sizes 2 and 1 \
differ. Give Q and K the same number of columns.
    """
