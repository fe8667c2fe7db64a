# Packs that are closed, saved, sent elsewhere or replaced, and all that is wrong.
library(stol)
path <- Sys.getenv("STOL_TEST_PACK", system.file("extdata", "example.stolpack", package = "stol"))
class_of <- function(expression) tryCatch({ expression; "none" }, stol_error = function(error) class(error)[1L])

pack <- stol_open(path)
stopifnot(
  stol_facts(pack)$id_space == "ncbi", stol_facts(pack)$taxa == pack$facts$taxa, stol_facts(pack)$bytes == file.size(path),
  grepl("taxa", capture.output(print(pack))), identical(summary(pack), stol_facts(pack)))

# Saved, and loaded by this process and by another one.
file <- tempfile(fileext = ".rds")
saveRDS(pack, file)
again <- readRDS(file)
stopifnot(identical(stol_names(again, 9606), "Homo sapiens"), identical(stol_names(again, 9689), "Panthera leo"))
code <- tempfile(fileext = ".R")
writeLines(c("library(stol)", sprintf("pack <- readRDS(%s)", deparse(file)), "stopifnot(stol_names(pack, 9606) == 'Homo sapiens')"), code)
stopifnot(system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(code))) == 0L)
# In processes that were forked.
if (.Platform$OS.type == "unix") {
  answers <- parallel::mclapply(1:2, function(number) { gc(); stol_names(pack, 9606) }, mc.cores = 2L)
  stopifnot(identical(answers, list("Homo sapiens", "Homo sapiens")))
}

# A path is its letters in UTF-8, also where the locale has not all of them.
folder <- tempfile("L\u00f6we")
if (l10n_info()[["UTF-8"]] && dir.create(folder, showWarnings = FALSE)) {
  letters <- file.path(folder, "\u00f6a.stolpack")
  stopifnot(file.copy(path, letters))
  latin <- iconv(letters, "UTF-8", "latin1")
  native <- enc2utf8(letters)
  Encoding(native) <- "unknown"
  locale <- Sys.getlocale("LC_CTYPE")
  Sys.setlocale("LC_CTYPE", "C")
  answers <- tryCatch(vapply(c(letters, latin, native), function(path) {
    open <- stol_open(path)
    saveRDS(open, file)
    stopifnot(grepl("a.stolpack: .* taxa", capture.output(print(open))))
    stol_names(readRDS(file), 9606)
  }, "", USE.NAMES = FALSE), error = conditionMessage)
  Sys.setlocale("LC_CTYPE", locale)
  stopifnot(identical(answers, rep("Homo sapiens", 3L)))
}

# Another file in its place is another pack; an open one goes on.
copy <- tempfile(fileext = ".stolpack")
stopifnot(file.copy(path, copy))
open <- stol_open(copy)
saveRDS(open, file)
stopifnot(file.rename(copy, paste0(copy, ".old")), identical(stol_names(open, 9606), "Homo sapiens"))
stopifnot(class_of(stol_names(readRDS(file), 9606)) == "stol_unreadable")
writeLines("no pack", copy)
stopifnot(class_of(stol_names(readRDS(file), 9606)) == "stol_no_pack")
stopifnot(file.copy(paste0(copy, ".old"), copy, overwrite = TRUE))
other <- readRDS(file)
other$facts$source <- "of another database"
stopifnot(class_of(stol_names(other, 9606)) == "stol_changed")

# Written over, what is open is the pack of no file: to read pages that are gone would end the process.
over <- stol_open(copy)
stopifnot(Sys.setFileTime(copy, as.POSIXct("2001-02-03", tz = "UTC")))
# The file is looked at at each tick of the clock.
for (number in 1:100000) if (class_of(stol_names(over, 9606)) != "none") break
stopifnot(class_of(stol_names(over, 9606)) == "stol_changed")
stopifnot(identical(stol_names(stol_open(copy), 9606), "Homo sapiens"))
close(over)

# Closed by hand, twice, and by the collector.
close(open)
stol_close(open)
stopifnot(
  class_of(stol_names(open, 9606)) == "stol_closed", class_of(summary(open)) == "stol_closed", grepl("closed", capture.output(print(open))))
saveRDS(open, file)
stopifnot(class_of(stol_names(readRDS(file), 9606)) == "stol_closed")
if (file.exists("/proc/self/maps")) {
  mapped <- function() sum(grepl(basename(copy), readLines("/proc/self/maps"), fixed = TRUE))
  for (number in 1:50) stol_open(copy)
  stopifnot(mapped() > 0L)
  invisible(gc())
  stopifnot(mapped() == 0L)
}

# What is wrong.
bytes <- "\xff\xfe"
Encoding(bytes) <- "bytes"
broken <- structure(5L, levels = "a", class = "factor")
fake <- structure(new.env(), class = "stol_pack")
wrong <- expression(
  stol_children(pack, broken), stol_subtree(pack, broken), stol_tree(pack, broken), stol_search(pack, broken), stol_names(pack, broken),
  stol_resolve(pack, "x", within = broken), stol_match(pack, broken), stol_lca(pack, list(broken)), stol_lca(pack, c(9606, 9689), groups = list(1, 2)), stol_open(bytes),
  stol_resolve(pack, "x", rank = bytes), stol_lineage(pack, 9606, bytes), stol_names(pack, 9606, language = bytes),
  stol_match(pack, "x", add = bytes), stol_names(fake, 9606), print(fake), stol_close(fake),
  stol_match(pack, data.frame(name = "x"), hints = structure(bytes, names = "family")),
  stol_open(NA_character_), stol_open(c("a", "b")), stol_open(1), stol_open(""), stol_names("pack", 1), stol_names(list(), 1),
  stol_names(pack, 1.5), stol_names(pack, Inf), stol_names(pack, 2^60), stol_names(pack, TRUE), stol_names(pack, list(1)),
  stol_names(pack, Sys.Date), stol_names(pack, 1i), stol_names(pack, as.raw(1)), stol_names(pack, 1, "colour"), stol_names(pack, 1, NULL),
  stol_names(pack, 1, "common_name", language = 1), stol_resolve(pack, 1), stol_resolve(pack, "x", rank = "tribble"),
  stol_resolve(pack, character(), rank = "tribble"), stol_resolve(pack, "x", rank = NA), stol_resolve(pack, "x", within = 3),
  stol_resolve(pack, "x", within = c(1, 2)), stol_resolve(pack, "x", within = NA), stol_search(pack, "x", limit = 0),
  stol_search(pack, "x", limit = 1.5), stol_search(pack, "x", limit = NA), stol_search(pack, "x", edits = 4), stol_search(pack, "x", mode = "guess"),
  stol_search(pack, "x", rank = "tribble"), stol_search(pack, list("x")), stol_lca(pack, 1), stol_lca(pack, 1, c(1, 2)),
  stol_lca(pack, list(1), 1), stol_lca(pack, 1, groups = c(1, 2)), stol_lca(pack, 1, 1, groups = 1), stol_lca(pack, list(list(1, 2))),
  stol_lca(pack, list(as.Date("1996-07-12"), 9606)), stol_lca(pack, list(TRUE, 9606)),
  stol_lca(pack, 1.5, 1), stol_lineage(pack, 1, "tribble"), stol_lineage(pack, integer(), "tribble"), stol_lineage(pack, 1, character()),
  stol_lineage(pack, 1, NA_character_), stol_lineage(pack, 1, rep("genus", 65)), stol_lineage(pack, 1, field = "colour"),
  stol_children(pack, 3), stol_children(pack, c(9606, 9606)), stol_subtree(pack, integer()), stol_tree(pack, 3), stol_tree(pack, integer()),
  stol_tree(pack, NA), stol_tree(pack, 9606, newick = NA), stol_tree(pack, 63221, newick = FALSE), stol_tree(pack, 9606, collapse = 2))
for (call in as.list(wrong)) {
  said <- class_of(eval(call))
  if (said != "stol_wrong_argument") stop(deparse(call), " gave ", said)
}
stopifnot(
  class_of(stol_open("/no/such/file")) == "stol_unreadable", class_of(stol_open(tempdir())) %in% c("stol_unreadable", "stol_no_pack"),
  class_of(stol_open(file)) == "stol_no_pack",
  grepl("element 3 is 1.5", tryCatch(stol_names(pack, c(1, 2, 1.5)), error = conditionMessage)))
# A pointer that is none does not get to the library.
stopifnot(class_of(.Call(stol:::C_parents, NULL, 1L)) == "stol_closed")
# Ordinals that the pack does not have are refused, not read.
stopifnot(class_of(.Call(stol:::C_parents, stol:::pointer_of(pack), .Machine$integer.max)) == "stol_wrong_argument")
# A truncated pack is refused.
cut <- tempfile(fileext = ".stolpack")
writeBin(readBin(path, "raw", 2000), cut)
stopifnot(class_of(stol_open(cut)) == "stol_no_pack")
