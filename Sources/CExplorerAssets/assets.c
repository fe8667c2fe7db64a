#include "CExplorerAssets.h"

// `#embed` is C23; clang has it in every mode, with a warning.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char complete_js[] = {
#embed "complete.js"
};
static const unsigned char copy_js[] = {
#embed "copy.js"
};
static const unsigned char dark_css[] = {
#embed "dark.css"
};
static const unsigned char filter_js[] = {
#embed "filter.js"
};
static const unsigned char gallery_js[] = {
#embed "gallery.js"
};
static const unsigned char heart_js[] = {
#embed "heart.js"
};
static const unsigned char hero_svg[] = {
#embed "hero.svg"
};
static const unsigned char icon_svg[] = {
#embed "icon.svg"
};
static const unsigned char import_js[] = {
#embed "import.js"
};
static const unsigned char journal_done_js[] = {
#embed "journal-done.js"
};
static const unsigned char journal_draft_js[] = {
#embed "journal-draft.js"
};
static const unsigned char journal_entry_js[] = {
#embed "journal-entry.js"
};
static const unsigned char journal_forget_js[] = {
#embed "journal-forget.js"
};
static const unsigned char journal_map_js[] = {
#embed "journal-map.js"
};
static const unsigned char journal_css[] = {
#embed "journal.css"
};
static const unsigned char keys_js[] = {
#embed "keys.js"
};
static const unsigned char life_boxes_js[] = {
#embed "life-boxes.js"
};
static const unsigned char life_camera_js[] = {
#embed "life-camera.js"
};
static const unsigned char life_drawing_js[] = {
#embed "life-drawing.js"
};
static const unsigned char life_guide_js[] = {
#embed "life-guide.js"
};
static const unsigned char life_hands_js[] = {
#embed "life-hands.js"
};
static const unsigned char life_labels_js[] = {
#embed "life-labels.js"
};
static const unsigned char life_js[] = {
#embed "life.js"
};
static const unsigned char look_css[] = {
#embed "look.css"
};
static const unsigned char main_js[] = {
#embed "main.js"
};
static const unsigned char match_js[] = {
#embed "match.js"
};
static const unsigned char names_js[] = {
#embed "names.js"
};
static const unsigned char openapi_json[] = {
#embed "openapi.json"
};
static const unsigned char pictures_css[] = {
#embed "pictures.css"
};
static const unsigned char png_js[] = {
#embed "png.js"
};
static const unsigned char say_js[] = {
#embed "say.js"
};
static const unsigned char tree_rows_js[] = {
#embed "tree-rows.js"
};
static const unsigned char tree_js[] = {
#embed "tree.js"
};
static const unsigned char words_js[] = {
#embed "words.js"
};
static const unsigned char words_ar[] = {
#embed "words/ar.txt"
};
static const unsigned char words_de[] = {
#embed "words/de.txt"
};
static const unsigned char words_en[] = {
#embed "words/en.txt"
};
static const unsigned char words_es[] = {
#embed "words/es.txt"
};
static const unsigned char words_fr[] = {
#embed "words/fr.txt"
};
static const unsigned char words_ja[] = {
#embed "words/ja.txt"
};
static const unsigned char words_pt[] = {
#embed "words/pt.txt"
};
static const unsigned char words_zh[] = {
#embed "words/zh.txt"
};

static const struct stol_asset assets[] = {
    {"complete.js", complete_js, sizeof complete_js},
    {"copy.js", copy_js, sizeof copy_js},
    {"dark.css", dark_css, sizeof dark_css},
    {"filter.js", filter_js, sizeof filter_js},
    {"gallery.js", gallery_js, sizeof gallery_js},
    {"heart.js", heart_js, sizeof heart_js},
    {"hero.svg", hero_svg, sizeof hero_svg},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"import.js", import_js, sizeof import_js},
    {"journal-done.js", journal_done_js, sizeof journal_done_js},
    {"journal-draft.js", journal_draft_js, sizeof journal_draft_js},
    {"journal-entry.js", journal_entry_js, sizeof journal_entry_js},
    {"journal-forget.js", journal_forget_js, sizeof journal_forget_js},
    {"journal-map.js", journal_map_js, sizeof journal_map_js},
    {"journal.css", journal_css, sizeof journal_css},
    {"keys.js", keys_js, sizeof keys_js},
    {"life-boxes.js", life_boxes_js, sizeof life_boxes_js},
    {"life-camera.js", life_camera_js, sizeof life_camera_js},
    {"life-drawing.js", life_drawing_js, sizeof life_drawing_js},
    {"life-guide.js", life_guide_js, sizeof life_guide_js},
    {"life-hands.js", life_hands_js, sizeof life_hands_js},
    {"life-labels.js", life_labels_js, sizeof life_labels_js},
    {"life.js", life_js, sizeof life_js},
    {"look.css", look_css, sizeof look_css},
    {"main.js", main_js, sizeof main_js},
    {"match.js", match_js, sizeof match_js},
    {"names.js", names_js, sizeof names_js},
    {"openapi.json", openapi_json, sizeof openapi_json},
    {"pictures.css", pictures_css, sizeof pictures_css},
    {"png.js", png_js, sizeof png_js},
    {"say.js", say_js, sizeof say_js},
    {"tree-rows.js", tree_rows_js, sizeof tree_rows_js},
    {"tree.js", tree_js, sizeof tree_js},
    {"words.js", words_js, sizeof words_js},
    {"words/ar.txt", words_ar, sizeof words_ar},
    {"words/de.txt", words_de, sizeof words_de},
    {"words/en.txt", words_en, sizeof words_en},
    {"words/es.txt", words_es, sizeof words_es},
    {"words/fr.txt", words_fr, sizeof words_fr},
    {"words/ja.txt", words_ja, sizeof words_ja},
    {"words/pt.txt", words_pt, sizeof words_pt},
    {"words/zh.txt", words_zh, sizeof words_zh},
};

const struct stol_asset *stol_assets(void) { return assets; }

const size_t stol_asset_count = sizeof assets / sizeof assets[0];
