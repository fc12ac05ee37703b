"""The words with which a link names what the labs are about."""

from __future__ import annotations

# The mistakes with a mask that can be looked at (`ui.mask_errors`).
MASK_ERRORS = ("late", "big", "sign", "corner")
# Rows of scores that a softmax can be tried on: the last token's, and one of a source at d_k = 64.
LAST, SATURATED = "last", "64"
# What is tried on it.
PARTS = ("shares", "temperature", "shift", "slopes")
TAU_FROM, TAU_TO = 0.1, 20.0
# Claims to vote on (`ui.claims`), each with the composition that its board shows (`ui.lesson`).
CLAIMS = {
    "parameters": "plain",
    "normalise": "sharpen",
    "most": "plain",
    "thinks": "without value",
    "d_model": "plain",
    "late": "mask errors",
    "columns": "sums",
    "anything": "plain",
    "length": "short values",
    "order": "order",
    "ranking": "plain",
    "mutual": "plain",
    "cosine": "directed",
    "maximum": "sharpen",
    "zero": "plain",
    "replaced": "whole",
    "itself": "plain",
    "cached": "plain",
    "heads": "head weights",
}
