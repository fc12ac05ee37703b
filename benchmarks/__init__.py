"""Speed and bytes, each against the plain thing on the same machine in the same run.

``python -m benchmarks`` prints one table; ``python -m benchmarks core`` runs one part of it.
Only loopback is used, and every server that is started is stopped.
"""
