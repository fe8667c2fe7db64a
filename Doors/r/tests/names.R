# Names and ids, in all types and encodings that R has. STOL_TEST_PACK is another pack of NCBI Taxonomy than the example.
library(stol)
path <- Sys.getenv("STOL_TEST_PACK", system.file("extdata", "example.stolpack", package = "stol"))
pack <- stol_open(path)

# Whole names.
asked <- c("Panthera leo", "tiger", "Pecari tajacu", "Oenanthe", "no such name", "9606", "", NA, "PANTHERA LEO", "Panthera  leo")
found <- stol_resolve(pack, asked)
stopifnot(
  identical(found$id, c(9689L, 9694L, 9829L, NA, NA, 9606L, NA, NA, 9689L, 9689L)),
  identical(stol_names(pack, found$id[3]), "Dicotyles tajacu"),
  identical(as.character(found$status), c(
    "exact", "common", "synonym", "ambiguous", "not_found", "exact", "invalid", "invalid", "exact", "exact")),
  identical(found$via, c(NA, "tiger", "Pecari tajacu", rep(NA, 7))),
  identical(stol_resolve(pack, factor(asked)), found),
  # R writes the levels of a factor of great numbers as "2e+05".
  identical(stol_resolve(pack, factor(c(9606, 2e5))), stol_resolve(pack, c("9606", "200000"))),
  identical(stol_search(pack, factor(c(9606, 2e5))), stol_search(pack, c("9606", "200000"))),
  identical(as.character(stol_resolve(pack, c("Panthera leo (Linnaeus, 1758)", "Panthera sp.", "Panthera leo Nobody, 1999"))$status),
            c("exact", "partial", "not_found")),
  identical(stol_resolve(pack, "Oenanthe", within = 8782)$id, 245059L),
  identical(stol_resolve(pack, "Oenanthe", rank = "genus")$id, NA_integer_),
  nrow(stol_resolve(pack, character())) == 0L,
  identical(as.character(stol_resolve(pack, c(NA, NA))$status), c("invalid", "invalid")))

# Encodings: the same text marked as UTF-8, as Latin-1, as bytes and not at all; and what is no text.
fox <- "R\u00fcppell's fox"
latin <- iconv(fox, "UTF-8", "latin1")
bytes <- native <- fox
Encoding(bytes) <- "bytes"
Encoding(native) <- "unknown"
stopifnot(Encoding(latin) == "latin1", Encoding(fox) == "UTF-8")
wrong <- c("caf\xe9", "\xff\xfe", strrep("x", 600))
said <- stol_resolve(pack, c(fox, latin, bytes, native, wrong))
stopifnot(
  length(unique(said$id[1:4])) == 1L, !anyNA(said$id[1:4]), said$status[1:4] == "common", said$status[5:7] == "invalid",
  Encoding(said$via[1:4]) == "UTF-8", said$via[1:4] == fox)
locale <- Sys.getlocale("LC_CTYPE")
if (!identical(suppressWarnings(Sys.setlocale("LC_CTYPE", "C")), "")) {
  again <- stol_resolve(pack, c(fox, latin, bytes, native, wrong))
  Sys.setlocale("LC_CTYPE", locale)
  stopifnot(identical(again, said))
}

# Ids of all types.
ids <- c(9689, NA, 9606, 3)
names <- c("Panthera leo", NA, "Homo sapiens", NA)
stopifnot(
  identical(stol_names(pack, ids), names),
  identical(stol_names(pack, as.integer(ids)), names),
  identical(stol_names(pack, as.character(ids)), names),
  identical(stol_names(pack, factor(ids)), names),
  identical(stol_names(pack, c("ncbi:9689", " 9689 ", "09689", "x")), c("Panthera leo", "Panthera leo", NA, NA)),
  identical(stol_names(pack, c(NaN, NA_real_, 2^53, -1)), rep(NA_character_, 4)),
  identical(stol_names(pack, c(NA, NA)), c(NA_character_, NA)),
  identical(stol_names(pack, NULL), character()),
  identical(stol_names(pack, integer()), character()),
  identical(stol_names(pack, 9606, "rank"), "species"),
  identical(stol_names(pack, 9606, "authorship"), "Linnaeus"),
  identical(stol_names(pack, 9606, "id"), "9606"),
  identical(stol_names(pack, 9689, "common_name"), "lion"))
# What is no id is shown so that one sees why.
said <- function(ids) sub(".*: ", "", tryCatch(stol_names(pack, ids), stol_wrong_argument = conditionMessage))
stopifnot(
  said(c(NA, 9606, 9689.5)) == "element 3 is 9689.5", said(0.1) == "element 1 is 0.1", said(1e15 + 0.5) == "element 1 is 1000000000000000.5",
  said(2^53 + 2) == "element 1 is 9007199254740994", said(-1e300) == "element 1 is -1e+300", said(c(1, -Inf)) == "element 2 is -Inf")

# Levels of a factor are texts, which R writes with an exponent where it makes them of numbers such as these.
great <- c(1e5, 4e5, 9606, 12e4, 1e15, NA)
levels <- c(levels(factor(great)), "1e+05x", "e+05")
stopifnot(
  any(grepl("e+", levels, fixed = TRUE)), identical(stol_names(pack, factor(great)), stol_names(pack, great)),
  identical(stol:::factor_texts(pack, factor(great), "ids"), c("100000", "400000", "9606", "120000", "1000000000000000", NA)),
  identical(stol:::factor_texts(pack, factor(levels), "ids")[6:7], c("1e+05x", "e+05")),
  identical(stol_lca(pack, list(factor(c(9606, 1e5)), c(9606, 1e5))), rep(stol_lca(pack, list(c(9606, 1e5))), 2)))
if (requireNamespace("bit64", quietly = TRUE)) {
  long <- bit64::as.integer64(ids)
  ancestor <- stol_lca(pack, long, rev(long))
  stopifnot(
    identical(stol_names(pack, long), names), bit64::is.integer64(ancestor),
    identical(as.integer(ancestor), stol_lca(pack, ids, rev(ids))),
    bit64::is.integer64(stol_lineage(pack, long, "family", field = "id")$family),
    identical(stol_lca(pack, list(long[c(1, 3)], 9689)), stol_lca(pack, list(ids[c(1, 3)], 9689))),
    bit64::is.integer64(stol_lca(pack, list(long[c(1, 3)], long[1]))))
}

# More rows than a chunk has, all alike and all different, in any order.
count <- 150000L
taxa <- stol_subtree(pack, 33208)
set.seed(1)
drawn <- sample.int(nrow(taxa), count, replace = TRUE)
stopifnot(
  identical(stol_names(pack, taxa$id[drawn]), taxa$name[drawn]),
  identical(stol_names(pack, as.character(taxa$id)[drawn], "rank"), taxa$rank[drawn]),
  identical(stol_resolve(pack, as.character(taxa$id)[drawn])$id, taxa$id[drawn]))
numbers <- as.character(seq_len(count))
known <- stol_names(pack, numbers)
stopifnot(identical(stol_names(pack, seq_len(count)), known), identical(stol_resolve(pack, numbers)$id, stol_resolve(pack, rev(numbers))$id[count:1]))

# An interrupt is seen in the middle of one call.
if (.Platform$OS.type == "unix") {
  pointer <- stol:::pointer_of(pack)
  resolve <- stol:::C_resolve
  finished <- FALSE
  said <- tryCatch({
    tools::pskill(Sys.getpid(), tools::SIGINT)
    .Call(resolve, pointer, numbers, NULL, -1L)
    finished <- TRUE
  }, interrupt = function(condition) "interrupted")
  stopifnot(identical(said, "interrupted"), !finished, identical(stol_names(pack, 9606), "Homo sapiens"))
}
