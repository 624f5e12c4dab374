"""From what detectors claim to what is there: claims settled, and every mention of an entity found."""

from withhold.detectors.entities.allow import Allowed
from withhold.detectors.entities.settle import settle

__all__ = ["Allowed", "settle"]
