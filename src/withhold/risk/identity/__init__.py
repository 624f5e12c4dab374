"""Who is this text about? What readers who look its words up among many people find.

`people` are the documents of a corpus by whom they are about, `looking` how a reader may look someone up, `choices`
what can be done about it, `model` is the risk model.
"""

from withhold.risk.identity.model import IdentityRisk

__all__ = ["IdentityRisk"]
