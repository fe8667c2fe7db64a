# Columns of a table by what they say of names, as their terms are written in Darwin Core or else in tables.
terms <- list(
  name = c("scientificName", "verbatimScientificName", "acceptedNameUsage", "canonicalName", "taxonName", "species", "name",
           "taxon", "organism", "names"),
  authorship = c("scientificNameAuthorship", "authorship", "author", "authors"),
  rank = c("taxonRank", "verbatimTaxonRank", "rank"),
  code = "nomenclaturalCode")
hint_ranks <- c("domain", "kingdom", "phylum", "class", "order", "family", "subfamily", "tribe", "genus")
main_ranks <- c("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
match_columns <- c("status", "score", "reason", "taxonID", "acceptedName", "acceptedAuthorship", "rank", "matchedName", "edits",
                   "distance", "lineage", "candidates")
# Of these the library says nothing.
command_columns <- c("matchedID", "matchedAuthorship", "points")

stol_match <- function(
    pack, names, add = c("status", "score", "reason", "taxonID", "acceptedName", "rank", "matchedName"), name = NULL,
    authorship = NULL, rank = NULL, code = NULL, hints = NULL, min_score = NULL, exact = FALSE, higher = TRUE, ocr = FALSE) {
  pointer <- pointer_of(pack)
  chosen <- list(name = check_text(name, "name"), authorship = check_text(authorship, "authorship"), rank = check_text(rank, "rank"),
                 code = check_text(code, "code"))
  if (!is.null(hints) && (!is.character(hints) || anyNA(hints) || is.null(names(hints))))
    refuse("wrong_argument", "`hints` is names of columns, named by ranks, as c(family = \"Familia\")")
  if (!is.null(hints)) check_texts(c(hints, names(hints)), "hints", "names of columns, named by ranks")
  check_texts(add, "add", "names of columns")
  add <- unlist(lapply(add, function(word) if (word == "main") main_ranks else word))
  for (word in intersect(add, command_columns))
    refuse("wrong_argument", paste0("only the command stol match has the column ", word, "; here there are ",
                                    paste(match_columns, collapse = ", "), " and ranks"))
  # Words that are neither are refused before anything is matched.
  ranks <- setdiff(add, match_columns)
  if (length(ranks) > 0L) .Call(C_rank_columns, pointer, integer(), ranks)
  least <- if (is.null(min_score)) -1L else check_number(min_score, "min_score", 0, 100)
  flags <- 1L * check_flag(exact, "exact") + 2L * (!check_flag(higher, "higher")) + 4L * check_flag(ocr, "ocr")

  is_table <- is.data.frame(names)
  if (!is_table && (length(hints) > 0L || !all(vapply(chosen, is.null, NA))))
    refuse("wrong_argument", "names without a table have no other columns")
  asked <- if (is_table) asked_of(names, chosen, hints) else list(columns = list(texts_in(names, "names"), NULL, NULL, NULL), ranks = character())
  options <- as.integer(c(least, flags, "reason" %in% add, "candidates" %in% add))
  found <- .Call(C_match, pointer, asked$columns, asked$ranks, options)
  answers <- lapply(add, match_column, pack = pack, found = found)
  names(answers) <- free_names(add, if (is_table) names(names))
  table <- if (length(answers) > 0L) table_of(answers) else data.frame(row.names = seq_along(found$taxa))
  if (!is_table) return(table)
  with_columns(names, table)
}

# A table keeps its columns and its class, as that of a tibble.
with_columns <- function(table, added) {
  # A data frame gives columns that share a name new ones where another is added.
  repeats <- anyDuplicated(names(table)) > 0L
  class <- oldClass(table)
  if (repeats) table <- unclass(table)
  for (column in names(added)) table[[column]] <- added[[column]]
  if (repeats) oldClass(table) <- class
  # data.table makes room for columns that `:=` adds where one is assigned by a way of its own, which `[[<-` is not.
  if (length(added) > 0L && inherits(table, "data.table")) table[names(added)[1L]] <- added[1L]
  table
}

# A column of what was found.
match_column <- function(word, pack, found) {
  switch(
    word,
    status = words_of(found$statuses, statuses),
    score = found$scores,
    reason = found$reasons,
    taxonID = ids_of(pack, found$taxa),
    acceptedName = texts_of(pack, found$taxa, "scientific_name"),
    acceptedAuthorship = texts_of(pack, found$taxa, "authorship"),
    rank = texts_of(pack, found$taxa, "rank"),
    matchedName = .Call(C_texts_of_names, pointer_of(pack), found$names),
    edits = , distance = found$edits,
    lineage = lineage_texts(pack, found$taxa),
    candidates = listed(ids_of(pack, as.integer(unlist(found$candidates))), lengths(found$candidates)),
    texts_of(pack, .Call(C_rank_columns, pointer_of(pack), found$taxa, word)[[1L]], "scientific_name"))
}

# Values as a list of so many each.
listed <- function(values, lengths) unname(split(values, factor(rep.int(seq_along(lengths), lengths), levels = seq_along(lengths))))

# The names of a lineage in one text; those of an implied root, which has no id, are left out.
lineage_texts <- function(pack, taxa) {
  distinct <- unique(taxa)
  found <- .Call(C_lineages, pointer_of(pack), distinct)
  names <- texts_of(pack, found$taxa, "scientific_name")
  names[is.na(ids_of(pack, found$taxa))] <- NA
  texts <- vapply(listed(names, found$lengths), function(parts) paste(parts[!is.na(parts)], collapse = "; "), "")
  texts[distinct < 0L] <- NA
  texts[match(taxa, distinct)]
}

# What is added does not take the place of what is there.
free_names <- function(words, taken) {
  for (number in seq_along(words)) {
    while (tolower(words[number]) %in% tolower(c(taken, words[seq_len(number - 1L)]))) words[number] <- paste0("stol_", words[number])
  }
  words
}

# What is the same for all spellings of the name of a column, which may be a term with what stands before it, or the first
# of a file with a mark.
column_key <- function(names) tolower(gsub("[[:space:]\u0085\u00a0\u2007\u202f\ufeff_-]", "", sub(".*[/#:]", "", sub("[/#:]+$", "", names))))

# The columns of a table that are asked about: names, authorships, ranks, codes, and hints with their ranks.
asked_of <- function(table, chosen, hints) {
  keys <- column_key(names(table))
  chosen_place <- function(name) {
    place <- match(name, names(table), nomatch = match(column_key(name), keys, nomatch = 0L))
    if (place == 0L)
      refuse("wrong_argument", paste0("no column is called ", name, "; there are: ", paste(names(table), collapse = ", ")))
    place
  }
  # Of the first of some words that there is; 0 where there is none.
  first_place <- function(words) {
    places <- match(column_key(words), keys)
    c(places[!is.na(places)], 0L)[1L]
  }
  place_of <- function(part) if (is.null(chosen[[part]])) first_place(terms[[part]]) else chosen_place(chosen[[part]])
  column <- function(place) if (place > 0L) texts_of_column(table[[place]], names(table)[place])

  name_places <- place_of("name")
  if (name_places == 0L) {
    parts <- c(first_place(c("genus", "genericName")), first_place("specificEpithet"), first_place("infraspecificEpithet"))
    if (any(parts[1:2] == 0L))
      refuse("wrong_argument", paste0(
        "no column is called scientificName: say which has the names, name = \"...\"; there are: ", paste(names(table), collapse = ", ")))
    name_places <- parts[parts > 0L]
  }
  asked_names <- if (length(name_places) == 1L) column(name_places) else joined(lapply(name_places, column))
  hint_places <- vapply(setdiff(hint_ranks, tolower(names(hints))), first_place, 0L)
  hint_places <- hint_places[hint_places > 0L & !hint_places %in% name_places]
  places <- c(hint_places, vapply(hints, chosen_place, 0L))
  names(places) <- tolower(names(places))
  list(
    columns = c(list(asked_names), lapply(c("authorship", "rank", "code"), function(part) column(place_of(part))),
                unname(lapply(places, column))),
    ranks = as.character(names(places)))
}

# Numbers and what else a column may hold are no names: they are read as texts all the same. Of columns in one there is
# no telling which is meant.
texts_of_column <- function(values, name) {
  if (is.data.frame(values) || length(dim(values)) == 2L && ncol(values) != 1L)
    refuse("wrong_argument", paste0("the column ", name, " has columns itself: give one of them"))
  if (is.list(values) && !inherits(values, "POSIXlt")) values <- vapply(values, one_text, "", USE.NAMES = FALSE)
  texts_in(if (is.character(values) || is.factor(values)) values else as_texts(values, name), name)
}

# The text of an element of a list; all at once they would be code, as "NA" for NA.
one_text <- function(value) {
  texts <- as_texts(value, "names")
  if (is.atomic(value) && length(texts) == 1L) texts
  else if (length(texts) == 0L || is.atomic(value) && all(is.na(value))) NA_character_
  else as_texts(list(value), "names")
}

# The words of a name that stand in columns of their own.
joined <- function(columns) {
  words <- lapply(columns, function(column) ifelse(is.na(column), "", column))
  trimws(gsub(" +", " ", do.call(paste, words)))
}
