"""The sources of what the package of NCBI Taxonomy gives."""

import database
import ncbi

NCBI = database.Source(
    "ncbi", "NCBI Taxonomy", ncbi.RELEASE, ncbi.LICENCE,
    "Schoch, C.L. et al. (2020). NCBI Taxonomy: a comprehensive update on curation, resources and tools."
    " Database 2020: baaa062. https://doi.org/10.1093/database/baaa062",
    "https://www.ncbi.nlm.nih.gov/taxonomy")
WIKIDATA = database.Source(
    "wikidata", "Wikidata, titles of articles of the English Wikipedia", "2024-09-09", "CC0 1.0",
    "Wikidata contributors: Wikidata, the free knowledge base.", "https://www.wikidata.org")
