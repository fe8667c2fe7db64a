# Search and completion.
library(stol)
path <- Sys.getenv("STOL_TEST_PACK", system.file("extdata", "example.stolpack", package = "stol"))
pack <- stol_open(path)

hits <- stol_search(pack, c("pantera leo", "no such name", NA, "lion", "pantera leo"), limit = 1)
stopifnot(
  identical(names(hits), c("row", "id", "name", "kind", "match", "distance")),
  identical(hits$row, c(1L, 4L, 5L)), identical(hits$id, rep(9689L, 3)), identical(hits$name, c("Panthera leo", "lion", "Panthera leo")),
  identical(as.character(hits$kind), c("scientific", "common", "scientific")),
  identical(as.character(hits$match), c("fuzzy_name", "exact_name", "fuzzy_name")), identical(hits$distance, c(1L, 0L, 1L)))
stopifnot(
  identical(stol_search(pack, "pantera leo", edits = 0)$id, integer()),
  setequal(stol_search(pack, "Oenanthe", mode = "exact")$id, c(48043L, 245059L)),
  identical(stol_search(pack, "Oenanthe", mode = "exact", within = 8782)$id, 245059L),
  all(stol_names(pack, stol_search(pack, "pan", rank = "genus")$id, "rank") == "genus"),
  startsWith(tolower(stol_complete(pack, "panth", limit = 3)$name), "panth"),
  nrow(stol_search(pack, character())) == 0L, nrow(stol_search(pack, NA)) == 0L,
  identical(stol_search(pack, factor(c("lion", "tiger"))), stol_search(pack, c("lion", "tiger"))),
  nrow(stol_search(pack, c("a", "e"), limit = 1e9)) >= 2L)

# Blocks are as short as rows are dear, by a clock of its own on which a row takes so many seconds.
for (seconds in c(1, 0.01, 1e-6, 0)) {
  now <- 0
  asked <- stol:::in_short_blocks(20000, 4096, function(rows) {
    now <<- now + seconds * length(rows)
    rows
  }, function() now)
  usual <- min(4096, max(1, floor(0.05 / seconds)))
  sizes <- lengths(asked)
  stopifnot(
    identical(as.numeric(unlist(asked)), as.numeric(1:20000)), sizes[1L] == 1L, max(sizes) <= usual + 1,
    sizes[length(sizes) - 1L] >= usual - 1)
}
stopifnot(identical(stol:::in_short_blocks(0, 10, length), list(0L)))

# More texts than a block has, with rows that repeat, are as each of them alone.
few <- unique(stol_subtree(pack, 9681)$name)
many <- paste0(few[(0:29999) %% length(few) + 1L], strrep("x", (0:29999) %% 3L))
found <- stol_search(pack, many, limit = 2)
for (row in c(1L, 8192L, 8193L, 29999L)) {
  one <- stol_search(pack, many[row], limit = 2)
  both <- found[found$row == row, -1L]
  row.names(both) <- NULL
  stopifnot(identical(both, one[-1L]))
}
