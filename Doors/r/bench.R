# What a million rows cost: Tools/r --bench PACK
library(stol)
pack <- stol_open(commandArgs(TRUE)[1])
count <- 1e6
set.seed(1)
taxa <- sample.int(stol_facts(pack)$taxa, count, replace = TRUE) - 1L
ids <- stol:::ids_of(pack, taxa)
names <- stol_names(pack, ids)
# Names as in records of sightings, of which few make up most.
often <- names[ceiling(count * stats::runif(count)^6)]
misspelt <- sub("([a-z])([a-z])", "\\2", names)
mixed <- ifelse(seq_len(count) %% 20L == 0L, misspelt, names)

measure <- function(what, expression, rows = count) {
  time <- system.time(expression, gcFirst = TRUE)
  used <- time[["user.self"]] + time[["sys.self"]]
  cat(sprintf("%-44s %6.2f s, %6.2f s of a core, %8.0f rows/s of a core\n", what, time[["elapsed"]], used, rows / used))
}
cat(sprintf("%s, %s taxa, %.0f rows, R %s.%s\n", basename(pack$path), format(stol_facts(pack)$taxa, scientific = FALSE), count,
            R.version$major, R.version$minor))
measure("LCA of pairs of ids", stol_lca(pack, ids, rev(ids)))
measure("LCA of groups of 4", stol_lca(pack, ids, groups = rep(seq_len(count / 4), each = 4)))
measure("names in, whole", stol_resolve(pack, names))
measure("names in, whole, as often as in records", stol_resolve(pack, often))
measure("names in, match, 1 of 20 misspelt", stol_match(pack, mixed))
measure("names in, match, as often as in records", stol_match(pack, often))
measure("names out", stol_names(pack, ids))
ranks <- c("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
measure("lineage, eight columns of names", stol_lineage(pack, ids, ranks))
measure("lineage, a row for each ancestor", lineages <- stol_lineage(pack, ids))
cat(sprintf("%44s %d rows\n", "", nrow(lineages)))
measure("search, two edits, best, 20,000 misspelt", stol_search(pack, misspelt[1:20000], mode = "fuzzy", limit = 1), 20000)
if (requireNamespace("ape", quietly = TRUE)) {
  # What ape does for one pair at a time, over a tree of some of the taxa.
  some <- unique(ids)[1:2000]
  tree <- stol_tree(pack, some[stol_names(pack, some, "rank") == "species"], labels = "id", newick = FALSE)
  pairs <- replicate(500, sample.int(length(tree$tip.label), 2L), simplify = FALSE)
  measure(sprintf("ape::getMRCA, 500 pairs of a tree of %d tips", length(tree$tip.label)), for (pair in pairs) ape::getMRCA(tree, pair), 500)
}
