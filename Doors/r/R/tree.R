stol_lineage <- function(pack, ids, ranks = NULL, field = "scientific_name", language = NULL) {
  taxa <- taxa_of(pack, ids)
  check_choice(field, "field", fields)
  if (is.null(ranks)) {
    found <- .Call(C_lineages, pointer_of(pack), taxa)
    return(table_of(list(
      row = rep.int(seq_along(taxa), found$lengths),
      id = ids_of(pack, found$taxa, ids),
      rank = texts_of(pack, found$taxa, "rank"),
      name = texts_of(pack, found$taxa, "scientific_name"))))
  }
  if (length(check_texts(ranks, "ranks", "texts, as \"family\"")) == 0L) refuse("wrong_argument", "`ranks` is texts, as \"family\"")
  columns <- .Call(C_rank_columns, pointer_of(pack), taxa, ranks)
  names(columns) <- ranks
  table_of(lapply(columns, function(column) values_of(pack, column, field, language, ids)))
}

stol_lca <- function(pack, a, b = NULL, groups = NULL) {
  pointer <- pointer_of(pack)
  if (!is.null(groups)) {
    if (!is.null(b) || is.list(a)) refuse("wrong_argument", "`groups` goes with one vector of ids, `a`")
    if (length(groups) != length(a)) refuse("wrong_argument", paste0("`a` has ", length(a), " rows, `groups` ", length(groups)))
    groups <- as_groups(groups)
    taxa <- taxa_of(pack, a, "a")
    counts <- tabulate(groups, nlevels(groups))
    # Rows without a group are of none.
    taxa <- taxa[order(as.integer(groups), na.last = NA, method = "radix")]
    return(named(lists_lca(pack, taxa, counts, a), levels(groups)))
  }
  if (is.list(a)) {
    if (!is.null(b)) refuse("wrong_argument", "a list has its groups in it: `b` is for pairs")
    members <- lapply(a, function(ids) if (is.factor(ids)) factor_texts(pack, ids, "a") else ids)
    ids <- unlisted(members)
    return(named(lists_lca(pack, taxa_of(pack, ids, "a"), lengths(members), ids), names(a)))
  }
  if (is.null(b)) refuse("wrong_argument", "give `b` for pairs, `groups` for groups, or a list")
  if (length(a) != length(b)) refuse("wrong_argument", paste0("`a` has ", length(a), " rows, `b` ", length(b)))
  ids_of(pack, .Call(C_lca_pairs, pointer, taxa_of(pack, a, "a"), taxa_of(pack, b, "b")), if (inherits(a, "integer64")) a else b)
}

# What groups rows, as a factor; a list cannot.
as_groups <- function(groups) {
  tryCatch(as.factor(groups), error = function(error) {
    refuse("wrong_argument", paste0("`groups` is a vector or a factor with a group for each row: ", conditionMessage(error)))
  })
}

# All ids of a list in one vector: of bit64 where all are, and texts where they are of several kinds.
unlisted <- function(members) {
  members <- members[lengths(members) > 0L]
  if (!all(vapply(members, is.atomic, NA))) refuse("wrong_argument", "`a` is a list of vectors of ids")
  for (ids in members) check_ids(ids, "a")
  is_long <- vapply(members, inherits, NA, "integer64")
  if (length(members) > 0L && all(is_long)) return(structure(unlist(lapply(members, unclass), use.names = FALSE), class = "integer64"))
  if (any(is_long) || any(vapply(members, is.character, NA))) members <- lapply(members, id_texts)
  unlist(members, use.names = FALSE)
}

# Ids as texts, large ones without an exponent.
id_texts <- function(ids) {
  if (!is.numeric(ids) || inherits(ids, "integer64")) return(as.character(ids))
  texts <- format(ids, scientific = FALSE, trim = TRUE, digits = 15L)
  texts[is.na(ids)] <- NA
  texts
}

named <- function(values, names) {
  names(values) <- names
  values
}

lists_lca <- function(pack, taxa, counts, like) {
  ids_of(pack, .Call(C_lca_lists, pointer_of(pack), as.double(c(0, cumsum(as.double(counts)))), taxa), like)
}

# A taxon and all below it.
below <- function(pack, taxon) seq.int(taxon, .Call(C_subtree_ends, pointer_of(pack), taxon) - 1L)

stol_children <- function(pack, id) {
  taxon <- one_taxon(pack, id, "id")
  taxa <- below(pack, taxon)
  taxa <- taxa[.Call(C_parents, pointer_of(pack), taxa) == taxon]
  described(pack, taxa, id)
}

stol_subtree <- function(pack, id) {
  taxa <- below(pack, one_taxon(pack, id, "id"))
  table <- described(pack, taxa, id)
  table_of(c(list(id = table$id, parent = ids_of(pack, .Call(C_parents, pointer_of(pack), taxa), id)), table[c("rank", "name")]))
}

described <- function(pack, taxa, like) {
  table_of(list(id = ids_of(pack, taxa, like), rank = texts_of(pack, taxa, "rank"), name = texts_of(pack, taxa, "scientific_name")))
}

stol_tree <- function(pack, ids, labels = "scientific_name", collapse = TRUE, newick = !requireNamespace("ape", quietly = TRUE)) {
  check_flag(collapse, "collapse")
  check_flag(newick, "newick")
  check_choice(labels, "labels", fields)
  given <- taxa_of(pack, ids)
  if (length(given) == 0L) refuse("wrong_argument", "`ids` is one id or more")
  if (any(given < 0L)) refuse("wrong_argument", paste("no taxon has the id", id_texts(ids)[given < 0L][1L]))
  given <- sort.int(unique(given))
  nodes <- if (length(given) > 1L) connecting(pack, given) else if (collapse) forks(pack, given) else below(pack, given)
  tree <- nodes_of(pack, nodes)
  tree$labels <- texts_of(pack, tree$taxa, labels)
  tree$labels[is.na(tree$labels)] <- ""
  roots <- which(tree$parents == 0L)
  if (newick) return(newick_of(tree, roots))
  trees <- lapply(seq_along(roots), function(number) {
    last <- if (number < length(roots)) roots[number + 1L] - 1L else length(tree$taxa)
    phylo_of(tree, roots[number], last)
  })
  if (length(trees) == 1L) trees[[1L]] else structure(trees, class = "multiPhylo")
}

# The smallest tree with some taxa, in preorder: they and where two that follow each other part.
connecting <- function(pack, given) {
  parting <- .Call(C_lca_pairs, pointer_of(pack), given[-length(given)], given[-1L])
  sort.int(unique(c(given, parting[parting >= 0L])))
}

# A taxon and what is below it, without those that have one child.
forks <- function(pack, taxon) {
  taxa <- below(pack, taxon)
  counts <- tabulate(match(.Call(C_parents, pointer_of(pack), taxa), taxa), length(taxa))
  taxa[counts != 1L | taxa == taxon]
}

# Nodes in preorder, each with the place of its parent among them, 0 for none, and of the last one below it. Where a node
# parts from the one before it is its parent.
nodes_of <- function(pack, taxa) {
  pointer <- pointer_of(pack)
  parting <- .Call(C_lca_pairs, pointer, taxa[-length(taxa)], taxa[-1L])
  list(
    taxa = taxa,
    parents = c(0L, match(parting, taxa, nomatch = 0L)),
    ends = findInterval(.Call(C_subtree_ends, pointer, taxa) - 1L, taxa))
}

# Olsen 1990, "Newick's 8:45": what is more than letters and digits is in quotes, with quotes in it twice.
newick_label <- function(labels) {
  plain <- grepl("^([-.0-9A-Za-z]|[^\u0001-\u007f])+$", labels) | labels == ""
  labels[!plain] <- paste0("'", gsub("'", "''", labels[!plain], fixed = TRUE), "'")
  visible(labels)
}

# Controls, ends of lines, and what turns the direction of writing.
harmful <- "[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]"

# Texts in which nothing can end a line, move a cursor or turn a line around.
visible <- function(texts) {
  found <- grepl(harmful, texts)
  texts[found] <- vapply(strsplit(texts[found], ""), function(letters) {
    hidden <- grepl(harmful, letters)
    letters[hidden] <- sprintf("\\u{%x}", vapply(letters[hidden], utf8ToInt, 0L))
    paste(letters, collapse = "")
  }, "")
  texts
}

# Trees as texts. What is written before what is below a node goes by its place, what is behind it by its last one.
newick_of <- function(tree, roots) {
  places <- seq_along(tree$taxa)
  labels <- newick_label(tree$labels)
  has_children <- tree$ends > places
  is_first <- tree$parents == places - 1L
  before <- paste0(ifelse(tree$parents == 0L, "", ifelse(is_first, "(", ",")), ifelse(has_children, "", labels))
  inner <- places[has_children]
  order <- order(c(places, tree$ends[inner]), c(rep.int(0L, length(places)), rep.int(1L, length(inner))), c(places, -inner))
  pieces <- c(before, paste0(")", labels[inner]))[order]
  tree_of_piece <- findInterval(c(places, inner)[order], roots)
  paste0(vapply(split(pieces, tree_of_piece), paste, "", collapse = "", USE.NAMES = FALSE), ";")
}

# As ape numbers nodes: tips first, each kind in preorder. A root from which one branch goes is none there.
phylo_of <- function(tree, first, last) {
  while (first < last && tree$ends[first + 1L] == last) first <- first + 1L
  if (first == last)
    refuse("wrong_argument", paste0(
      "a phylo needs two taxa of which neither is above the other, and ", sQuote(tree$labels[first], FALSE),
      " is alone in its tree: leave it out, or newick = TRUE gives a text"))
  places <- first:last
  is_tip <- tree$ends[places] == places
  numbers <- ifelse(is_tip, cumsum(is_tip), sum(is_tip) + cumsum(!is_tip))
  structure(
    list(
      edge = cbind(numbers[tree$parents[places[-1L]] - first + 1L], numbers[-1L], deparse.level = 0),
      tip.label = tree$labels[places[is_tip]], Nnode = sum(!is_tip), node.label = tree$labels[places[!is_tip]]),
    class = "phylo", order = "cladewise")
}
