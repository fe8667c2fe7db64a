/*
 * stol: one open pack, asked from C. The library reads packs as `stol pack` makes them; it writes none.
 *
 * A taxon is its ordinal in the pack: 0 for the first in depth-first preorder, so that the taxa below v are
 * those from v + 1 up to where its subtree ends. Ordinals mean something together with this one file only:
 * keep ids (stol_ids_of_taxa) and not ordinals.
 *
 * Batches. Every function takes arrays and answers row by row: a call of many rows costs what the rows cost, and
 * less than many calls. Memory is the caller's: what is passed in must stay as it is until the call returns,
 * outputs must not overlap inputs or each other, and nothing is kept. Arrays are aligned as their elements are
 * (offsets and views need not be). An array of no elements may be NULL.
 *
 * Threads. The library starts none, and keeps nothing between calls but open packs. Any number of threads may
 * ask one open pack at once; what one thread gets does not depend on others. stol_close must be the last call: a handle
 * that has been closed cannot be told from an open one, and to use it is undefined.
 *
 * Errors. Every function that can fail returns a code, 0 for none. STOL_WRONG_ARGUMENT + n says that argument
 * n, from 1, is NULL, out of range, misaligned, or not what its description asks for. `error` may be NULL;
 * else it must begin with its size, and says the same in a sentence; a call that goes well sets its code to 0. After
 * an error, outputs hold anything.
 *
 * Files. A pack is replaced by renaming another one to its name (mv): open handles keep the old one. Never by
 * writing over it (cp): pages of the file that are gone then end the process by SIGBUS when they are read, and a
 * library must not handle signals. Calls look, once in some milliseconds, whether the file has another length or
 * time of change than when it was opened, and say STOL_CHANGED: it was written over, or its time was set, as by
 * touch, which looks the same. They cannot see what happens while they run.
 *
 * Rooms. A function with `room` and `needed` writes at most `room` elements and sets `*needed` to how many
 * there are. Where that is more it returns STOL_MORE_ROOM, having written all offsets, and of the elements
 * anything: call again with the room that is needed. NULL with room 0 asks for the number alone.
 *
 * Structs begin with their own `size`, to which the initialisers set it: a later version of the library adds
 * fields at the end only. A struct that is larger than the library knows must have zeros there; stol_get_facts
 * sets what it does not know to zero.
 */
#ifndef STOL_H
#define STOL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* No taxon, where a function says that there may be none. As an input it gives none again. */
#define STOL_NO_TAXON UINT32_C(0xFFFFFFFF)
/* No name. */
#define STOL_NO_NAME UINT32_C(0xFFFFFFFF)
/* No id: that of no taxon, and of an implied root, which no source has. */
#define STOL_NO_ID INT64_MIN

typedef struct stol_pack stol_pack;
typedef uint32_t stol_taxon;
/* A name of a taxon, by its position among the names of the pack. */
typedef uint32_t stol_name;

/* What a function returns. */
enum {
  STOL_OK = 0,
  /* Nothing is wrong but that `room` is less than `*needed`. */
  STOL_MORE_ROOM = 1,
  /* The file cannot be read. */
  STOL_UNREADABLE = 2,
  /* The file is no pack, is damaged, or is of a version of the format that this library does not read. */
  STOL_NO_PACK = 3,
  /* Ids of this pack are texts, and the function speaks of numbers. */
  STOL_TEXT_IDS = 4,
  /* The file was written over, or its time set, after it was opened: close it, and open it again. */
  STOL_CHANGED = 5,
  /* Plus the number of the argument that is wrong: 101 for the first. */
  STOL_WRONG_ARGUMENT = 100
};

/* What went wrong, in a sentence of UTF-8 that ends with NUL. */
typedef struct stol_error {
  size_t size;
  int32_t code;
  char message[244];
} stol_error;

#define STOL_ERROR_INIT {sizeof(stol_error), 0, {0}}

/* What became of one input: the words of `stol query` and `stol match`. */
enum {
  /* The whole text is the scientific name of one taxon but for folding, or its id. */
  STOL_EXACT = 0,
  /* A synonym; the accepted taxon follows. */
  STOL_SYNONYM = 1,
  /* The whole text is a common name of one taxon only. */
  STOL_COMMON = 2,
  /* The source retired the id in favour of the taxon that follows. */
  STOL_MERGED = 3,
  /* The source retired the id. */
  STOL_DELETED = 4,
  /* A whole name that differs by its ending or some letters: of stol_match alone. */
  STOL_FUZZY = 5,
  /* What is certain of "Quercus sp."; for stol_match also another higher taxon, as the common ancestor of several. */
  STOL_PARTIAL = 6,
  /* Several taxa fit equally; none is chosen. stol_search with STOL_SEARCH_EXACT lists them, stol_match too. */
  STOL_AMBIGUOUS = 7,
  /* Nothing fits. */
  STOL_NOT_FOUND = 8,
  /* No question: null, blank, longer than 512 bytes, or not UTF-8. */
  STOL_INVALID = 9
};

/* How the texts of a column are laid out: as Arrow has them, so that columns of it need no copy. */
enum {
  /* utf8, binary: row i is bytes[offsets[i]] up to offsets[i + 1], of int32_t. */
  STOL_OFFSETS_32 = 32,
  /* large_utf8, large_binary: the same, of int64_t. */
  STOL_OFFSETS_64 = 64,
  /* utf8_view, binary_view: structs of 16 bytes, texts of up to 12 bytes within them. */
  STOL_VIEWS = 128
};

/* A column of texts in UTF-8, without NULs at their ends. */
typedef struct stol_texts {
  size_t size;
  /* One of the three layouts. */
  int32_t layout;
  /* Of views: the number of buffers. */
  int32_t buffer_count;
  /* The number of rows. */
  size_t count;
  /* count + 1 offsets, which ascend; or count views. */
  const void *offsets;
  /* Of offsets: the texts. */
  const void *bytes;
  /* Of offsets: the length of bytes, beyond which no offset may lead. */
  size_t byte_count;
  /* Of views: the buffers, and their lengths in bytes. */
  const void *const *buffers;
  const int64_t *buffer_byte_counts;
  /* A bit for each row, least significant first, 0 for a null; NULL where no row is one. */
  const uint8_t *validity;
  /* The bit of row 0. */
  size_t validity_offset;
} stol_texts;

#define STOL_TEXTS_INIT {sizeof(stol_texts), 0, 0, 0, NULL, NULL, 0, NULL, NULL, NULL, 0}

/*
 * Maps and opens the pack at `path`, in UTF-8. The file must not be changed in place while it is open; to put another
 * one in its place by renaming is fine. One descriptor stays open with it.
 *
 * On success `*pack` is a handle for stol_close, else NULL. Damaged bytes may give wrong answers (run
 * `stol verify`), but no read outside of the file and no crash.
 *
 * O(1): pages are read when they are first needed.
 */
int32_t stol_open(const char *path, stol_pack **pack, stol_error *error);

/* Closes a pack; NULL is fine. No other call may be using it. */
void stol_close(stol_pack *pack);

/* What a pack is. */
typedef struct stol_facts {
  size_t size;
  uint64_t taxon_count;
  /* Common names and synonyms. */
  uint64_t name_count;
  /* The length of the file. */
  uint64_t byte_count;
  /* The major version of the format. */
  int32_t format_version;
  /* The version of the schema of the database that it was compiled from. */
  int32_t schema_version;
  /* 1 where ids are texts: stol_texts_of_taxa gives them, stol_taxa_of_id_texts takes them. */
  int32_t has_text_ids;
  /* 1 where taxon 0 is a root above those of the source, which has no id. */
  int32_t has_implied_root;
  /* Of the database; zeros where there was none. */
  uint8_t source_sha256[32];
} stol_facts;

#define STOL_FACTS_INIT {sizeof(stol_facts), 0, 0, 0, 0, 0, 0, 0, {0}}

/* Sets what of `facts` its size has room for. O(1) */
int32_t stol_get_facts(const stol_pack *pack, stol_facts *facts, stol_error *error);

/*
 * What the dataset states under a key, as "id", "name", "release", "licence", "id_space", with a NUL at the
 * end. `*needed` is its length in bytes with that NUL; 0 where nothing is stated. O(length of all facts)
 */
int32_t stol_dataset_text(
  const stol_pack *pack, const char *key, char *text, size_t room, size_t *needed, stol_error *error);

/*
 * The taxa of ids that are whole numbers: exact, merged, deleted, not found; synonym and ambiguous where an id
 * is that of a name. `taxa[i]` is STOL_NO_TAXON where there is not one taxon. `statuses` may be NULL.
 *
 * STOL_TEXT_IDS where ids of the pack are texts. O(1) an id where ids are spread evenly, O(log n) at worst.
 */
int32_t stol_taxa_of_ids(
  const stol_pack *pack, const int64_t *ids, size_t count, stol_taxon *taxa, uint8_t *statuses,
  stol_error *error);

/*
 * The taxa of ids as texts, as the source writes them: "9606" is one, "09606" is not. Spaces around them and
 * the id space of the pack before them, as in "ncbi:9606", are dropped; nothing is looked for as a name.
 * Null and blank rows are invalid. `statuses` may be NULL. For packs of either kind of ids.
 *
 * O(length), and as stol_taxa_of_ids.
 */
int32_t stol_taxa_of_id_texts(
  const stol_pack *pack, const stol_texts *texts, stol_taxon *taxa, uint8_t *statuses, stol_error *error);

/*
 * The ids of taxa; STOL_NO_ID for STOL_NO_TAXON and for an implied root. STOL_TEXT_IDS where ids of the pack
 * are texts. O(1) a taxon.
 */
int32_t stol_ids_of_taxa(
  const stol_pack *pack, const stol_taxon *taxa, size_t count, int64_t *ids, stol_error *error);

/* Which taxa may be found. */
typedef struct stol_resolve_options {
  size_t size;
  /* The rank that taxa must have, as the source writes it or as one of the eight main ranks; NULL for any. */
  const char *rank;
  /* The taxon that they must be, or be below; STOL_NO_TAXON for any. */
  stol_taxon within;
  /* Zero. */
  uint32_t reserved;
} stol_resolve_options;

#define STOL_RESOLVE_OPTIONS_INIT {sizeof(stol_resolve_options), NULL, STOL_NO_TAXON, 0}

/*
 * The taxa that texts name as a whole: an id, else a scientific name, a synonym or a common name. Case, marks and
 * variants of letters count for nothing. Scientific names go before synonyms and common names, which count alike:
 * "platypus" is the genus of beetles where a pack has that. Among those that count alike nothing is guessed: a name
 * of several taxa is ambiguous, unless the options leave one of them. A misspelt one is not found.
 *
 * A name may have its authors behind it ("Felis catus Linnaeus, 1758"), who must not contradict, and whose year may;
 * a lone word in a capital is no author unless the pack says so, for it may be a species misspelt. Of one in open
 * nomenclature ("Quercus sp.") what is certain is found, which is partial. These are the statuses of
 * `stol query show -`.
 *
 * `names[i]` is the synonym or common name that led to the taxon, else STOL_NO_NAME. `names` and `statuses`
 * may be NULL; `options` NULL finds any taxon. O(length), for a name of several taxa more.
 */
int32_t stol_resolve(
  const stol_pack *pack, const stol_texts *texts, const stol_resolve_options *options, stol_taxon *taxa,
  stol_name *names, uint8_t *statuses, stol_error *error);

/*
 * The lowest common ancestor of `a[i]` and `b[i]`; none where either is none, or where they have different
 * roots. O(1) a pair.
 */
int32_t stol_lca_pairs(
  const stol_pack *pack, const stol_taxon *a, const stol_taxon *b, size_t count, stol_taxon *ancestors,
  stol_error *error);

/*
 * The lowest common ancestor of each list: that of `taxa[offsets[i]]` up to `offsets[i + 1]`, as Arrow's list
 * (`offset_bits` 32) and large_list (64) are laid out. Members that are STOL_NO_TAXON are left out; an empty
 * list has none. `taxon_count` is the length of `taxa`. O(1) a member.
 */
int32_t stol_lca_lists(
  const stol_pack *pack, int32_t offset_bits, const void *offsets, size_t count, const stol_taxon *taxa,
  size_t taxon_count, stol_taxon *ancestors, stol_error *error);

/*
 * The lineages of taxa, root first and the taxon itself last, as Arrow's large_list: that of `taxa[i]` is
 * `ancestors[offsets[i]]` up to `offsets[i + 1]`, of which there are count + 1. That of none is empty.
 * O(depth) a taxon.
 */
int32_t stol_lineages(
  const stol_pack *pack, const stol_taxon *taxa, size_t count, int64_t *offsets, stol_taxon *ancestors,
  size_t room, size_t *needed, stol_error *error);

/*
 * For each taxon itself or its nearest ancestor of each rank, column by column: that of `taxa[i]` of rank r
 * is `ancestors[r * count + i]`, STOL_NO_TAXON where there is none. Ranks are words of the source, in any
 * case; a main rank ("domain" to "species") is also what the source calls otherwise. 64 ranks at most, and
 * none that the pack does not have but for the main ranks. O(depth) a taxon.
 */
int32_t stol_rank_columns(
  const stol_pack *pack, const stol_taxon *taxa, size_t count, const char *const *ranks, size_t rank_count,
  stol_taxon *ancestors, stol_error *error);

/* The parents of taxa; none for a root. O(1) a taxon. */
int32_t stol_parents(
  const stol_pack *pack, const stol_taxon *taxa, size_t count, stol_taxon *parents, stol_error *error);

/*
 * Where the subtrees of taxa end: the ordinal one past the last taxon below `taxa[i]`; its subtree is what
 * lies from `taxa[i]` up to there. STOL_NO_TAXON for none. O(1) for a leaf, O(log n) at worst.
 */
int32_t stol_subtree_ends(
  const stol_pack *pack, const stol_taxon *taxa, size_t count, stol_taxon *ends, stol_error *error);

/* What of a taxon is a text. */
enum {
  STOL_SCIENTIFIC_NAME = 0,
  /* Of the scientific name, without the year where the source has it apart. */
  STOL_AUTHORSHIP = 1,
  /* The word of the source. */
  STOL_RANK = 2,
  /* The id as the source writes it. */
  STOL_SOURCE_ID = 3,
  /* The preferred one of the language, else of close ones, else in English. */
  STOL_COMMON_NAME = 4
};

/*
 * Texts of taxa, as Arrow's large_utf8: that of `taxa[i]` is `bytes[offsets[i]]` up to `offsets[i + 1]`, of
 * which there are count + 1; without NULs. Where there is none it is empty, as no text of a source is.
 * `language` is a BCP 47 tag as in "pt-BR", for common names alone; NULL for English. O(length)
 */
int32_t stol_texts_of_taxa(
  const stol_pack *pack, int32_t field, const char *language, const stol_taxon *taxa, size_t count,
  int64_t *offsets, char *bytes, size_t room, size_t *needed, stol_error *error);

/* The texts of names, in the same layout; that of STOL_NO_NAME is empty. O(length) */
int32_t stol_texts_of_names(
  const stol_pack *pack, const stol_name *names, size_t count, int64_t *offsets, char *bytes, size_t room,
  size_t *needed, stol_error *error);

/* Which names match a text. */
enum {
  /* What begins so; where that is fewer than three taxa, also what is similar. */
  STOL_SEARCH_AUTO = 0,
  /* Names that equal the text. */
  STOL_SEARCH_EXACT = 1,
  /* Names that begin so, or that hold all words, the last one as the beginning of a word. */
  STOL_SEARCH_PREFIX = 2,
  /* Names, and words of names, within the distance. */
  STOL_SEARCH_FUZZY = 3,
  /* Names with words that have those of the text somewhere inside. */
  STOL_SEARCH_CONTAINS = 4
};

/* Which words of names are those of a text. */
enum {
  /* These and other forms of them, as plurals: as `stol query search`. */
  STOL_WORDS_IN_ANY_FORM = 0,
  /* These alone: as `stol query complete`, which has STOL_SEARCH_AUTO and 10 hits. */
  STOL_WORDS_AS_TYPED = 1
};

/* How a name matches a text, the closest first. */
enum {
  STOL_EXACT_NAME = 0,
  STOL_EXACT_FORM = 1,
  STOL_HEAD_WORD = 2,
  STOL_WHOLE_WORDS = 3,
  STOL_NAME_PREFIX = 4,
  STOL_ALL_WORDS = 5,
  STOL_ACROSS_NAMES = 6,
  STOL_FUZZY_NAME = 7,
  STOL_FUZZY_PREFIX = 8,
  STOL_FUZZY_WORDS = 9
};

/* What a name of a taxon is. */
enum { STOL_NAME_SCIENTIFIC = 0, STOL_NAME_COMMON = 1, STOL_NAME_SYNONYM = 2 };

typedef struct stol_search_options {
  size_t size;
  /* STOL_SEARCH_...; STOL_WORDS_... */
  int32_t mode;
  int32_t words;
  /* The most edits, 0 to 3; -1 for 0 below three letters, 1 below five, else 2. */
  int32_t edits;
  /* Zero. */
  int32_t reserved;
  /* The most hits of a text, at least 1. */
  size_t limit;
  /* As in stol_resolve_options. */
  const char *rank;
  stol_taxon within;
  uint32_t reserved_too;
} stol_search_options;

#define STOL_SEARCH_OPTIONS_INIT {sizeof(stol_search_options), 0, 0, -1, 0, 20, NULL, STOL_NO_TAXON, 0}

/* Where a search writes its hits: arrays of `room` elements, each of which may be NULL. */
typedef struct stol_hits {
  size_t size;
  size_t room;
  stol_taxon *taxa;
  /* The name of the taxon that matched best: stol_texts_of_names gives its text. */
  stol_name *names;
  /* STOL_NAME_... of that name. */
  uint8_t *kinds;
  /* How it matched: STOL_EXACT_NAME and so on. */
  uint8_t *classes;
  /* The edits between text and name. */
  uint8_t *distances;
} stol_hits;

#define STOL_HITS_INIT {sizeof(stol_hits), 0, NULL, NULL, NULL, NULL, NULL}

/*
 * Searches names for each text: the hits of `stol query search`, or with STOL_WORDS_AS_TYPED of `stol query
 * complete`. A text may also be an id, which has its taxon alone, a name with its authors behind it, or one in open
 * nomenclature, of which what is certain is looked for. The hits of text i are those from `offsets[i]` up to
 * `offsets[i + 1]`, of which there are count + 1, best first and each taxon once. Rows that are null, blank, not
 * UTF-8, or longer than 512 bytes have none: the command lists taxa for a blank one with filters. `options` NULL is
 * STOL_SEARCH_OPTIONS_INIT. A room of count times limit is always enough; to call first without any costs the search
 * twice.
 *
 * In a pack of 500,000 taxa about a microsecond for what is exact, ten for one edit, and fifty for two.
 */
int32_t stol_search(
  const stol_pack *pack, const stol_texts *texts, const stol_search_options *options, int64_t *offsets,
  const stol_hits *hits, size_t *needed, stol_error *error);

/* How a name that was found differs from the one that was asked for. */
enum {
  /* Not at all, but for case and marks on letters. */
  STOL_DIFFERENCE_NONE = 0,
  /* By what endings and spellings of one word differ in: gender, "-ii" and "-i", doubled letters. */
  STOL_DIFFERENCE_ENDING = 1,
  /* By letters that scanners take for one another: only with STOL_MATCH_SCANNED. */
  STOL_DIFFERENCE_SCANNER = 2,
  /* By a letter of an epithet; by two. */
  STOL_DIFFERENCE_EPITHET = 3,
  STOL_DIFFERENCE_EPITHET_TWO = 4,
  /* By a letter of the genus; by that and one of an epithet; by two of the genus. */
  STOL_DIFFERENCE_GENUS = 5,
  STOL_DIFFERENCE_GENUS_AND_EPITHET = 6,
  STOL_DIFFERENCE_GENUS_TWO = 7,
  /* By a letter of a name of one word; by two. */
  STOL_DIFFERENCE_UNINOMIAL = 8,
  STOL_DIFFERENCE_UNINOMIAL_TWO = 9,
  /* By more than two letters. */
  STOL_DIFFERENCE_FARTHER = 10,
  /* It is the name without its last epithet, or without the one before. */
  STOL_DIFFERENCE_FEWER_EPITHETS = 11,
  /* It is the genus of the name. */
  STOL_DIFFERENCE_GENUS_ONLY = 12,
  /* It is the lowest taxon that was given as a hint. */
  STOL_DIFFERENCE_HINT = 13,
  /* Nothing was found, or several taxa of which none is chosen. */
  STOL_DIFFERENCE_UNKNOWN = 255
};

/*
 * What is asked about names: a table by its columns. Columns beside the names have as many rows as they, or
 * one row, which is meant for all. NULL where a column is missing; a null or empty row says nothing.
 */
typedef struct stol_match_columns {
  size_t size;
  /* The names as somebody wrote them, perhaps with authors behind them. */
  const stol_texts *names;
  /* Who gave the names, where that is said apart, with the year: "(Linnaeus, 1758)". */
  const stol_texts *authorships;
  /* Their ranks, as "species"; their nomenclatural codes, as "ICZN". */
  const stol_texts *ranks;
  const stol_texts *codes;
  /* Higher taxa that they are said to be in: for each column its rank, as "kingdom" or "family". 64 at most. */
  size_t hint_count;
  const char *const *hint_ranks;
  const stol_texts *const *hints;
} stol_match_columns;

#define STOL_MATCH_COLUMNS_INIT {sizeof(stol_match_columns), NULL, NULL, NULL, NULL, 0, NULL, NULL}

/* What counts as an answer: options of `stol match`, added up. */
enum {
  /* --exact: only whole names, whose authors do not contradict. */
  STOL_MATCH_EXACT = 1,
  /* --no-higher: never a higher taxon where the name itself is not known. */
  STOL_MATCH_NO_HIGHER = 2,
  /* --ocr: letters that scanners take for one another make no other name, as "rn" and "m". */
  STOL_MATCH_SCANNED = 4,
  /* --format gbif: higher taxa where GBIF's service gives them. */
  STOL_MATCH_GBIF = 8
};

typedef struct stol_match_options {
  size_t size;
  /* The least score of an answer, 0 to 100; -1 for 90, with STOL_MATCH_GBIF 80. */
  int32_t least_score;
  /* STOL_MATCH_... */
  uint32_t flags;
} stol_match_options;

#define STOL_MATCH_OPTIONS_INIT {sizeof(stol_match_options), -1, 0}

/* Where matches are written: arrays with an element for each name, each of which may be NULL. */
typedef struct stol_matches {
  size_t size;
  stol_taxon *taxa;
  /* The name of the taxon that matched, which may be a synonym; none for a common ancestor. */
  stol_name *names;
  /* Exact, synonym, fuzzy, partial, ambiguous, not found, invalid. */
  uint8_t *statuses;
  /* STOL_DIFFERENCE_... */
  uint8_t *differences;
  /* The letters that have to be changed. */
  uint8_t *edits;
  /* How many of a hundred such answers are right; 0 without a taxon. */
  uint8_t *scores;
  /*
   * Why, in a few words, as Arrow's large_utf8: count + 1 offsets, and room for so many bytes. 64 bytes a name
   * are nearly always enough.
   */
  int64_t *reason_offsets;
  char *reason_bytes;
  size_t reason_room;
  /*
   * What was weighed, the best first, as Arrow's large_list: count + 1 offsets, and room for so many taxa and
   * names. Usually at most ten a name; all that fit equally where more do. To ask for them makes exact names slower.
   */
  int64_t *candidate_offsets;
  stol_taxon *candidate_taxa;
  stol_name *candidate_names;
  size_t candidate_room;
} stol_matches;

#define STOL_MATCHES_INIT \
  {sizeof(stol_matches), NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL, NULL, 0}

/*
 * The taxa that names as people write them stand for: with authors, misspelt, in open nomenclature, to be told
 * apart by ranks and higher taxa. These are the answers of `stol match` to the same table: status, score,
 * reason, taxonID, matchedName, edits and candidates. Nothing is guessed: what has less than the least score
 * is only a candidate.
 *
 * `options` NULL is STOL_MATCH_OPTIONS_INIT. STOL_MORE_ROOM where the last offset of reasons or candidates is
 * more than their room; all other arrays are written then. Batches of some thousand rows or more repay what
 * each call prepares.
 *
 * In a pack of 500,000 taxa a name that is spelt right takes one or two microseconds, with authors or hints ten,
 * and a misspelt one fifty to a hundred.
 */
int32_t stol_match(
  const stol_pack *pack, const stol_match_columns *columns, const stol_match_options *options,
  const stol_matches *matches, stol_error *error);

#ifdef __cplusplus
}
#endif

#endif
