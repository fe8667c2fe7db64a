stol_open <- function(path = Sys.getenv("STOL_PACK")) {
  if (identical(path, "")) refuse("wrong_argument", "no pack is given: give a path, or set STOL_PACK to one")
  # A path that is too long is none: the library says so.
  path <- suppressWarnings(normalizePath(path_of(check_text(path, "path", FALSE)), mustWork = FALSE))
  if (validUTF8(path)) Encoding(path) <- "UTF-8"
  pack <- structure(new.env(parent = emptyenv()), class = "stol_pack")
  pack$path <- path
  pack$closed <- FALSE
  pack$pointer <- .Call(C_open_pack, path)
  pack$facts <- .Call(C_facts_of_pack, pack$pointer)
  pack
}

# A path as its bytes in UTF-8, which R does not write anew for a locale without its letters.
path_of <- function(path) {
  if (Encoding(path) != "unknown" || !validUTF8(path)) path <- enc2utf8(path)
  Encoding(path) <- "unknown"
  path
}

stol_close <- function(pack) {
  check_pack(pack)
  .Call(C_close_pack, pack$pointer)
  pack$closed <- TRUE
  invisible(NULL)
}

close.stol_pack <- function(con, ...) stol_close(con)

check_pack <- function(pack) {
  if (!inherits(pack, "stol_pack") || !is.environment(pack) || !is.logical(pack$closed)) refuse("wrong_argument", "`pack` is what stol_open gives")
}

# The pointer of an open pack. One that comes from a saved workspace or from another process is opened again.
pointer_of <- function(pack) {
  check_pack(pack)
  if (pack$closed) refuse("closed", paste0(pack$path, " is closed: open it again by stol_open"))
  if (!.Call(C_is_open, pack$pointer)) {
    pointer <- .Call(C_open_pack, pack$path)
    if (!identical(.Call(C_facts_of_pack, pointer), pack$facts)) {
      .Call(C_close_pack, pointer)
      refuse("changed", paste0(pack$path, " is another pack than the one that was saved: open it by stol_open"))
    }
    pack$pointer <- pointer
  }
  pack$pointer
}

stol_facts <- function(pack) {
  pointer <- pointer_of(pack)
  keys <- c("id", "name", "release", "licence", "id_space")
  stated <- lapply(keys, function(key) .Call(C_dataset_text, pointer, key))
  c(list(path = pack$path), structure(stated, names = keys), pack$facts)
}

summary.stol_pack <- function(object, ...) stol_facts(object)

print.stol_pack <- function(x, ...) {
  check_pack(x)
  # basename() refuses letters that the locale has not.
  cat("<stol_pack> ", sub(".*[/\\\\]", "", x$path), ": ", format(x$facts$taxa, big.mark = ",", scientific = FALSE), " taxa", if (x$closed) ", closed", "\n", sep = "")
  invisible(x)
}
