"""Search engines as corpora. Nothing is sent unless a policy names one and says where it is.

A question goes from `asking` (what is asked, cached, paid for and hidden among decoys) through the dialect of an engine
(`searxng`, `brave`, `opensearch`) and over the `wire`.
"""
