# Matching of names as people write them.
library(stol)
path <- Sys.getenv("STOL_TEST_PACK", system.file("extdata", "example.stolpack", package = "stol"))
pack <- stol_open(path)
class_of <- function(expression) tryCatch({ expression; "none" }, stol_error = function(error) class(error)[1L])

names <- c("Panthera leo (Linnaeus, 1758)", "Pantera onca", "Lynx sp.", "Xyz abc", NA, "", "Pecari tajacu", "Oenanthe")
found <- stol_match(pack, names)
stopifnot(
  identical(names(found), c("status", "score", "reason", "taxonID", "acceptedName", "rank", "matchedName")),
  identical(as.character(found$status), c("exact", "fuzzy", "partial", "not_found", "invalid", "invalid", "synonym", "ambiguous")),
  identical(found$taxonID, c(9689L, 9690L, 13124L, NA, NA, NA, 9829L, NA)),
  identical(found$acceptedName[c(1:3, 7)], c("Panthera leo", "Panthera onca", "Lynx", "Dicotyles tajacu")),
  identical(found$matchedName[7], "Pecari tajacu"), all(found$score[c(1:3, 7)] >= 90L), all(is.na(found$score[c(4:6, 8)])),
  all(nzchar(found$reason[1:4])), identical(found$rank[3], "genus"),
  identical(stol_match(pack, factor(names)), found))

# All that may be added.
all <- stol_match(pack, names, add = c("taxonID", "edits", "lineage", "candidates", "acceptedAuthorship", "family", "main"))
stopifnot(
  identical(stol_match(pack, names, c("distance", "edits")), data.frame(distance = all$edits, edits = all$edits)),
  identical(names(all)[1:6], c("taxonID", "edits", "lineage", "candidates", "acceptedAuthorship", "family")),
  identical(all$edits[1:2], 0:1), identical(all$family[c(1, 3)], c("Felidae", "Felidae")), identical(all$stol_family, all$family),
  grepl("; Felidae; Pantherinae; Panthera; Panthera leo$", all$lineage[1]), is.na(all$lineage[4]),
  is.list(all$candidates), identical(all$candidates[[1]][1], 9689L), setequal(all$candidates[[8]], c(48043L, 245059L)))

# Tables keep their columns, whose terms tell homonyms apart.
seen <- data.frame(count = 3:5, "scientific name" = "Oenanthe", class = c("Aves", "Magnoliopsida", NA), status = "seen", check.names = FALSE)
table <- stol_match(pack, seen, add = c("status", "taxonID"))
stopifnot(
  identical(table[names(seen)], seen), identical(names(table), c(names(seen), "stol_status", "taxonID")),
  identical(table$taxonID, c(245059L, 48043L, NA)), identical(as.character(table$stol_status), c("exact", "exact", "ambiguous")),
  identical(stol_match(pack, data.frame(n = "Oenanthe", Klasse = "Aves"), "taxonID", name = "n", hints = c(class = "Klasse"))$taxonID, 245059L),
  identical(stol_match(pack, data.frame(genus = "Panthera", specificEpithet = c("leo", NA)), "taxonID")$taxonID, c(9689L, 9688L)),
  identical(stol_match(pack, seen[0, ], "taxonID")$taxonID, integer()),
  identical(stol_match(pack, character(), c("taxonID", "candidates", "reason", "lineage"))$taxonID, integer()))

# Columns are found whatever stands before their terms, or behind them.
for (term in c("\ufeffscientificName", "dwc:scientificName/", "scientificName#", "Scientific\u00a0Name")) {
  seen <- structure(list("Lynx", "Panthera leo", "Oenanthe", "Aves"), names = c("NAME", term, "x", "class/"), class = "data.frame", row.names = 1L)
  stopifnot(
    identical(stol_match(pack, seen, "taxonID")$taxonID, 9689L),
    identical(stol_match(pack, seen, "taxonID", name = "x")$taxonID, 245059L))
}

# In columns that are lists too there are rows without a name, and factors and dates are what they look like.
listed <- data.frame(row = 1:6)
listed$name <- list("Panthera leo", NA, NULL, factor("Panthera onca"), c(NA, NA), as.Date("2001-02-03"))
listed$genus <- list(NA, "Lynx", "Lynx", NULL, NA, "Lynx")
found <- stol_match(pack, listed, c("status", "reason", "taxonID"))
stopifnot(
  identical(as.character(found$status)[1:5], c("exact", "invalid", "invalid", "exact", "invalid")),
  identical(found$reason[2:3], rep(stol_match(pack, NA, "reason")$reason, 2L)), identical(found$taxonID[c(1, 4)], 9689:9690),
  identical(stol:::texts_of_column(listed$name, "name"), c("Panthera leo", NA, NA, "Panthera onca", NA, "2001-02-03")))
# Columns in a column are none of names, but for a single one.
for (several in list(data.frame(a = letters[1:2], b = 1:2), data.frame(a = letters[1:2]), matrix("Panthera leo", 2L, 2L))) {
  of_several <- data.frame(row = 1:2)
  of_several$name <- several
  said <- tryCatch(stol_match(pack, of_several), stol_wrong_argument = conditionMessage)
  stopifnot(identical(said, "the column name has columns itself: give one of them"))
  names(of_several)[2L] <- "kingdom"
  of_several$name <- "Panthera leo"
  stopifnot(class_of(stol_match(pack, of_several)) == "stol_wrong_argument")
}
of_one <- data.frame(row = 1:2)
of_one$name <- matrix("Panthera leo", 2L, 1L)
stopifnot(identical(stol_match(pack, of_one, "taxonID")$taxonID, c(9689L, 9689L)))

# Options.
stopifnot(
  identical(stol_match(pack, "Panthera nonsuch", "taxonID")$taxonID, 9688L),
  identical(stol_match(pack, "Panthera nonsuch", "taxonID", higher = FALSE)$taxonID, NA_integer_),
  identical(stol_match(pack, "Pantera onca", "taxonID", exact = TRUE)$taxonID, NA_integer_))

# Columns of a table keep their names and their order, those that share one too.
same <- data.frame(site = 1:2, scientificName = c("Panthera leo", NA), site = c("a", "b"), status = 3:4, check.names = FALSE)
found <- stol_match(pack, same, c("status", "taxonID"))
stopifnot(
  identical(names(found), c("site", "scientificName", "site", "status", "stol_status", "taxonID")), is.data.frame(found),
  identical(found[[1L]], 1:2), identical(found[[3L]], c("a", "b")), identical(found$taxonID, c(9689L, NA)),
  identical(found[[4L]], 3:4), identical(row.names(found), row.names(same)))

# Rows that repeat, in more rows than a chunk has, are as each of them alone.
set.seed(1)
taxa <- stol_subtree(pack, 9681)
texts <- c(taxa$name, paste(taxa$name, "Linnaeus"), sub("a", "e", taxa$name), names)
drawn <- sample.int(length(texts), 150000L, replace = TRUE)
words <- c("taxonID", "status", "score", "reason", "matchedName", "candidates")
once <- stol_match(pack, texts, words)
many <- stol_match(pack, texts[drawn], words)
again <- once[drawn, ]
row.names(again) <- NULL
stopifnot(identical(many, again))
families <- data.frame(name = texts[drawn], family = c("Felidae", "Canidae", NA)[drawn %% 3L + 1L])
few <- 1:500
whole <- stol_match(pack, families, words)
part <- stol_match(pack, families[few, ], words)
stopifnot(identical(whole[few, ], part))

wrong <- expression(
  stol_match(pack, 1), stol_match(pack, "x", "colour"), stol_match(pack, "x", NA), stol_match(pack, "x", min_score = 101),
  stol_match(pack, "x", exact = NA), stol_match(pack, "x", name = "y"), stol_match(pack, data.frame(a = 1)),
  stol_match(pack, data.frame(a = "x"), name = "b"), stol_match(pack, data.frame(name = "x"), hints = "y"),
  stol_match(pack, data.frame(name = "x", y = "z"), hints = c(tribble = "y")), stol_match(pack, list("x")))
for (call in as.list(wrong)) {
  said <- class_of(eval(call))
  if (said != "stol_wrong_argument") stop(deparse(call), " gave ", said)
}
said <- tryCatch(stol_match(pack, "x", c("status", "matchedID")), stol_wrong_argument = conditionMessage)
stopifnot(grepl("only the command stol match has the column matchedID", said, fixed = TRUE))
