"""Variants of attention, each a composition of ops."""
