# Ancestors, lineages and trees.
library(stol)
path <- Sys.getenv("STOL_TEST_PACK", system.file("extdata", "example.stolpack", package = "stol"))
pack <- stol_open(path)

# Ancestors.
stopifnot(
  identical(stol_lca(pack, c(9689, 9689, NA, 9689, 3), c(9685, 9606, 9606, 9689, 3)), c(9681L, 1437010L, NA, 9689L, NA)),
  identical(stol_lca(pack, "ncbi:9689", factor(9685)), 9681L),
  identical(stol_lca(pack, list(a = c(9689, 9685, 9606), b = 9606, c = NULL, d = c(NA, 3))), c(a = 1437010L, b = 9606L, c = NA, d = NA)),
  identical(stol_lca(pack, list(c("9689", "9685"), factor(9606))), c(9681L, 9606L)),
  identical(stol_lca(pack, list(c("9689", "9685"), 245059)), c(9681L, 245059L)),
  identical(stol:::unlisted(list("1", 1e5, 245059L)), c("1", "100000", "245059")),
  identical(stol_lca(pack, list()), integer()),
  identical(stol_lca(pack, integer(), integer()), integer()),
  identical(stol_lca(pack, c(9689, 9606, 9685, 1), groups = c("x", "y", "x", NA)), c(x = 9681L, y = 9606L)),
  identical(stol_lca(pack, c(9689, 9606), groups = factor(c(2, 2), 1:2)), c("1" = NA, "2" = 1437010L)))

# Lineages.
ranks <- c("kingdom", "FAMILY", "genus", "species")
wide <- stol_lineage(pack, c(9689, NA, 9681), ranks)
stopifnot(
  identical(wide, data.frame(
    kingdom = c("Metazoa", NA, "Metazoa"), FAMILY = c("Felidae", NA, "Felidae"), genus = c("Panthera", NA, NA),
    species = c("Panthera leo", NA, NA))),
  identical(stol_lineage(pack, c(9689, 3), "genus", field = "id"), data.frame(genus = c(9688L, NA))),
  nrow(stol_lineage(pack, integer(), ranks)) == 0L)
long <- stol_lineage(pack, c(9689, 3, 9606))
stopifnot(
  identical(names(long), c("row", "id", "rank", "name")), identical(unique(long$row), c(1L, 3L)),
  identical(long$name[long$rank == "family"], c("Felidae", "Hominidae")),
  identical(long$id[cumsum(rle(long$row)$lengths)], c(9689L, 9606L)))

# What is below agrees with what is above.
children <- stol_children(pack, 9688)
below <- stol_subtree(pack, 9681)
stopifnot(
  all(children$id %in% below$id), all(below$parent[match(children$id, below$id)] == 9688L),
  identical(children$id, below$id[below$parent == 9688L]), !is.unsorted(children$name),
  identical(unique(stol_lineage(pack, below$id, "family")$family), "Felidae"),
  nrow(stol_children(pack, 63221)) == 0L, nrow(stol_subtree(pack, 63221)) == 1L)
everything <- stol_subtree(pack, 2759)
deep <- stol_lineage(pack, everything$id)
last <- cumsum(tabulate(deep$row))
stopifnot(
  identical(deep$id[last], everything$id), identical(deep$id[last[-1L] - 1L], everything$parent[-1L]),
  identical(stol_lca(pack, everything$id, everything$parent)[-1L], everything$parent[-1L]),
  identical(unname(stol_lca(pack, list(everything$id))), 2759L))

# Trees.
asked <- c(9689, 9694, 9685, 9606)
stopifnot(
  identical(stol_tree(pack, asked, newick = TRUE),
            "('Homo sapiens',('Felis catus',('Panthera leo','Panthera tigris')Panthera)Felidae)Boreoeutheria;"),
  identical(stol_tree(pack, 61383, collapse = FALSE, newick = TRUE), "'Lynx canadensis';"),
  identical(stol_tree(pack, c(9689, 9681, 9688), labels = "id", newick = TRUE), "((9689)9688)9681;"),
  identical(stol_tree(pack, c(9689, 9681), labels = "id", newick = TRUE), "(9689)9681;"),
  identical(stol_tree(pack, 63221, newick = TRUE), "'Homo sapiens neanderthalensis';"),
  identical(stol_tree(pack, "9605", labels = "common_name", newick = TRUE), stol_tree(pack, 9605, "common_name", newick = TRUE)),
  identical(stol:::newick_label(c("a b", "it's", "R\u00fc", "", "x-1.2", "a_b")), c("'a b'", "'it''s'", "R\u00fc", "", "x-1.2", "'a_b'")),
  # No name ends a line, nor turns one around.
  identical(stol:::newick_label(c("a\nb", "a\tb", "a\r'b", "a\u007fb", "a\u0085b", "a\u202eb", "R\u00fc\u2028s x")),
            c("'a\\u{a}b'", "'a\\u{9}b'", "'a\\u{d}''b'", "'a\\u{7f}b'", "a\\u{85}b", "a\\u{202e}b", "'R\u00fc\\u{2028}s x'")))
if (requireNamespace("ape", quietly = TRUE)) {
  is_valid <- function(tree) !any(grepl("FATAL|MODERATE", capture.output(ape::checkValidPhylo(tree))))
  # A root with a single branch is no root of a phylo.
  stopifnot(is_valid(stol_tree(pack, 33208)))
  for (ids in list(c(9689, 9694, 9681), c(9689, 9694, 9688, 9681, 33208), c(9689, 9606, 9681))) {
    tree <- stol_tree(pack, ids)
    stopifnot(is_valid(tree), identical(sort(tree$tip.label), sort(stol_names(pack, intersect(ids, c(9689, 9694, 9606))))))
  }
  for (collapse in c(TRUE, FALSE)) stopifnot(is_valid(stol_tree(pack, 9681, collapse = collapse)))
  for (ids in list(c(9689, 9681), c(9689, 9688, 9681), 63221, c(9689, 9681, 131567))) {
    said <- tryCatch(stol_tree(pack, ids), stol_wrong_argument = conditionMessage)
    stopifnot(grepl("needs two taxa", said), grepl("newick = TRUE", said))
  }
  for (ids in list(asked, 9681, 1437010)) {
    tree <- stol_tree(pack, ids)
    # ape writes and reads labels without quotes.
    text <- stol_tree(pack, ids, labels = "id", newick = TRUE)
    numbered <- stol_tree(pack, ids, labels = "id")
    read <- ape::read.tree(text = text)
    stopifnot(
      inherits(tree, "phylo"), all(ape::all.equal.phylo(numbered, read)), identical(ape::write.tree(numbered), text),
      is_valid(tree), all(tree$edge > 0L), length(tree$tip.label) + tree$Nnode == nrow(tree$edge) + 1L)
  }
  stopifnot(inherits(stol_tree(pack, c(9689, 9685, 33090, 3511, 48043)), "phylo"))
}
