id_kinds <- c("integer", "double", "character", "integer64")

# Taxa of ids: their places in the pack, -1 where there is none.
taxa_of <- function(pack, ids, name = "ids") {
  pointer <- pointer_of(pack)
  if (is.factor(ids)) ids <- factor_texts(pack, ids, name)
  is_empty <- is_missing(ids)
  check_ids(ids, name)
  if (is_empty && length(ids) == 0L) integer()
  # Of nothing but NA, in packs of both kinds.
  else if (is_empty) rep.int(-1L, length(ids))
  else if (pack$facts$text_ids && !is.character(ids))
    refuse("wrong_argument", paste0("ids of this pack are texts, and `", name, "` has numbers: give texts, as as.character(", name, ")"))
  else .Call(C_taxa_of_ids, pointer, ids)
}

# Ids of a factor. Where ids are numbers, levels made of such may be written as R writes great ones, as "1e+05".
factor_texts <- function(pack, ids, name) {
  words <- levels(ids)
  great <- if (pack$facts$text_ids) FALSE else grepl("^-?[0-9](\\.[0-9]+)?e\\+[0-9]+$", words)
  if (any(great)) attr(ids, "levels")[great] <- sprintf("%.0f", as.numeric(words[great]))
  as_texts(ids, name)
}

# Whether there is no id, or nothing but NA, of whatever type.
is_missing <- function(ids) {
  is.null(ids) || (is.logical(ids) || is.numeric(ids)) && (length(ids) == 0L || is.na(ids[1L]) && all(is.na(ids)))
}

# Refuses what cannot be ids: dates and logical values are numbers to C.
check_ids <- function(ids, name) {
  if (!is_missing(ids) && !is.numeric(ids) && !inherits(ids, "integer64") && !is.character(ids))
    refuse("wrong_argument", paste0("`", name, "` is whole numbers or texts, not ", class(ids)[1L]))
}

# One taxon that must be there.
one_taxon <- function(pack, id, name) {
  taxon <- taxa_of(pack, id, name)
  if (length(taxon) != 1L) refuse("wrong_argument", paste0("`", name, "` is one id"))
  if (taxon < 0L) refuse("wrong_argument", paste("no taxon has the id", id_texts(id)))
  taxon
}

# Of `within`: -1 for all of the pack.
within_of <- function(pack, within) if (is.null(within)) -1L else one_taxon(pack, within, "within")

# Ids of taxa: of one type for all of a pack, that in which none is rounded; of bit64 where such were given.
ids_of <- function(pack, taxa, like = NULL) {
  pointer <- pointer_of(pack)
  if (is.null(pack$id_kind)) pack$id_kind <- .Call(C_id_kind, pointer)
  kind <- pack$id_kind
  if (inherits(like, "integer64") && !pack$facts$text_ids) kind <- match("integer64", id_kinds) - 1L
  if (id_kinds[kind + 1L] == "character") texts_of(pack, taxa, "id")
  else .Call(C_ids_of_taxa, pointer, taxa, kind)
}

fields <- c("scientific_name", "authorship", "rank", "id", "common_name")

# Texts of taxa, or ids as what they are.
texts_of <- function(pack, taxa, field, language = NULL) {
  .Call(C_texts_of_taxa, pointer_of(pack), check_choice(field, "field", fields), check_text(language, "language"), taxa)
}

values_of <- function(pack, taxa, field, language, like = NULL) {
  if (identical(field, "id")) ids_of(pack, taxa, like) else texts_of(pack, taxa, field, language)
}
