statuses <- c("exact", "synonym", "common", "merged", "deleted", "fuzzy", "partial", "ambiguous", "not_found", "invalid")

# A column of texts: of factors their levels, of nothing but NA texts too.
texts_in <- function(texts, name) {
  if (is.factor(texts) || is.logical(texts) && all(is.na(texts))) texts <- as_texts(texts, name)
  if (!is.character(texts)) refuse("wrong_argument", paste0("`", name, "` is texts, not ", class(texts)[1L]))
  texts
}

# The same of what may be ids too.
names_in <- function(pack, texts, name) if (is.factor(texts)) factor_texts(pack, texts, name) else texts_in(texts, name)

stol_resolve <- function(pack, names, rank = NULL, within = NULL) {
  pointer <- pointer_of(pack)
  found <- .Call(C_resolve, pointer, names_in(pack, names, "names"), check_text(rank, "rank"), within_of(pack, within))
  table_of(list(
    id = ids_of(pack, found$taxa),
    status = words_of(found$statuses, statuses),
    via = .Call(C_texts_of_names, pointer, found$names)))
}

stol_names <- function(pack, ids, field = "scientific_name", language = NULL) {
  texts_of(pack, taxa_of(pack, ids), field, language)
}

kinds <- c("scientific", "common", "synonym")
modes <- c("auto", "exact", "prefix", "fuzzy", "contains")
matches <- c("exact_name", "exact_form", "head_word", "whole_words", "name_prefix", "all_words", "across_names",
  "fuzzy_name", "fuzzy_prefix", "fuzzy_words")

stol_search <- function(pack, texts, mode = "auto", edits = NULL, limit = 20, rank = NULL, within = NULL) {
  hits_of(pack, texts, check_choice(mode, "mode", modes), 0L, edits, limit, rank, within)
}

stol_complete <- function(pack, texts, limit = 10, rank = NULL, within = NULL) {
  hits_of(pack, texts, 0L, 1L, NULL, limit, rank, within)
}

hits_of <- function(pack, texts, mode, order, edits, limit, rank, within) {
  pointer <- pointer_of(pack)
  texts <- names_in(pack, texts, "texts")
  edits <- if (is.null(edits)) -1L else check_number(edits, "edits", 0, 3)
  # No text has more hits than there are taxa.
  limit <- min(check_number(limit, "limit", 1, .Machine$integer.max), max(pack$facts$taxa, 1))
  options <- as.integer(c(mode, order, edits, limit))
  within <- within_of(pack, within)
  check_text(rank, "rank")

  # Each text once, and so few a call that there is always room.
  distinct <- unique(texts)
  parts <- in_short_blocks(length(distinct), max(1, min(8192, floor(2^20 / limit))), function(rows) {
    .Call(C_search, pointer, distinct[rows], options, rank, within)
  })
  column <- function(name) unlist(lapply(parts, `[[`, name), use.names = FALSE)
  lengths <- column("lengths")
  starts <- cumsum(lengths) - lengths
  number <- match(texts, distinct)
  row <- rep.int(seq_along(texts), lengths[number])
  hit <- sequence(lengths[number], starts[number] + 1L)
  table_of(list(
    row = row,
    id = ids_of(pack, column("taxa")[hit]),
    name = .Call(C_texts_of_names, pointer, column("names")[hit]),
    kind = words_of(column("kinds")[hit], kinds),
    match = words_of(column("matches")[hit], matches),
    distance = column("distances")[hit]))
}

# What is answered to blocks of rows that take about a twentieth of a second each, so that an interruption is seen soon.
# A block without rows where there are none, so that options are looked at all the same.
in_short_blocks <- function(count, most, ask, clock = function() proc.time()[["elapsed"]]) {
  answers <- list()
  done <- 0
  size <- 1
  repeat {
    rows <- seq.int(done + 1, length.out = min(size, count - done))
    begun <- clock()
    answers[[length(answers) + 1L]] <- ask(rows)
    took <- clock() - begun
    done <- done + length(rows)
    if (done >= count) return(answers)
    # A few rows that were cheap do not tell that others are cheap too.
    size <- max(1, min(most, 4 * size, if (took > 0) floor(size * 0.05 / took) else most))
  }
}
