"""The corpus on this machine: a folder that is written in batches and read in place.

Documents are cut into paragraphs and folded words once, when they are added (`cutting`). A batch of them becomes one
file that never changes (`shard`): for each word a roaring bitmap of the documents and one of the paragraphs that hold
it, the words of all documents as numbers in their order, and the texts. `manifest.json` says which files count, and
which of their documents are gone; it is replaced as the last step of a commit, so a batch is there whole or not at all.
"""

from withhold.corpora.index.reader import Index
from withhold.corpora.index.writer import Writer

__all__ = ["Index", "Writer"]
