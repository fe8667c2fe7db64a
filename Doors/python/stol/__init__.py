"""Ask a taxonomy pack: names, ids, lowest common ancestors, lineages, matching, search.

>>> pack = stol.open("taxa.stolpack")
>>> ids, statuses = pack.resolve(["Panthera leo", "tiger"])
>>> pack["Panthera leo"].parent

Columns are lists, numpy arrays, pandas, polars or pyarrow columns, or whatever exports Arrow's C data; answers
are columns of the same kind, in the same order. One value is answered by one. Where there is no answer it is
None, a null, or in numpy ``NO_ID``. Taxa are given and taken by the ids of their source. What asks a lot may
keep ordinals instead (``taxa``), which are positions in this one pack, and say ``ordinals=True``.
"""
from ._library import NO_ID, NO_TAXON, PackError
from ._open import open
from ._pack import Hit, Id, Pack
from ._taxon import Comparison, Taxon
from ._threads import use_threads

__all__ = ["NO_ID", "NO_TAXON", "Comparison", "Hit", "Id", "Pack", "PackError", "Taxon", "open", "use_threads"]
