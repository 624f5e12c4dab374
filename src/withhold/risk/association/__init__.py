"""Which topic is this text about? What documents that have its words say, by association rules.

`shares` turns counts into confidence, `rules` counts, `choices` says what can be done about it, `model` is the risk
model.
"""

from withhold.risk.association.model import AssociationRisk
from withhold.risk.association.rules import Rule, Rules
from withhold.risk.association.shares import Shares

__all__ = ["AssociationRisk", "Rule", "Rules", "Shares"]
