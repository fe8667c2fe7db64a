# Raises a condition of classes stol_KIND and stol_error. Functions of C call it too.
refuse <- function(kind, message) {
  stop(structure(list(message = message, call = NULL), class = c(paste0("stol_", kind), "stol_error", "error", "condition")))
}

# One text, or NULL where that is allowed.
check_text <- function(value, name, or_null = TRUE) {
  if (is.null(value) && or_null) return(NULL)
  if (!is.character(value) || length(value) != 1L || is.na(value)) refuse("wrong_argument", paste0("`", name, "` is one text"))
  check_texts(value, name, "one text")
}

# Texts of which none is missing, nor bytes in no encoding.
check_texts <- function(values, name, what) {
  if (!is.character(values) || anyNA(values)) refuse("wrong_argument", paste0("`", name, "` is ", what))
  if (any(Encoding(values) == "bytes")) refuse("wrong_argument", paste0("`", name, "` is ", what, ", and no bytes: set its Encoding"))
  values
}

# Values as texts; those of a factor whose codes have no levels cannot be.
as_texts <- function(values, name) {
  tryCatch(as.character(values), error = function(error) {
    refuse("wrong_argument", paste0("`", name, "` cannot be read as texts: ", conditionMessage(error)))
  })
}

# One of some words, or the number of it from 0.
check_choice <- function(value, name, words) {
  number <- if (is.character(value) && length(value) >= 1L) match(value[1L], words) else NA
  if (is.na(number)) refuse("wrong_argument", paste0("`", name, "` is one of ", paste(words, collapse = ", ")))
  number - 1L
}

check_flag <- function(value, name) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) refuse("wrong_argument", paste0("`", name, "` is TRUE or FALSE"))
  value
}

# A whole number of a range.
check_number <- function(value, name, least, most) {
  if (!is.numeric(value) || length(value) != 1L || is.na(value) || value != floor(value) || value < least || value > most)
    refuse("wrong_argument", paste0("`", name, "` is a whole number from ", least, " to ", format(most, scientific = FALSE)))
  as.integer(value)
}

# A data frame of columns that have as many rows each, without a look at them.
table_of <- function(columns) {
  structure(columns, class = "data.frame", row.names = .set_row_names(length(columns[[1L]])))
}

# A factor of codes from 1.
words_of <- function(codes, words) structure(codes, levels = words, class = "factor")
