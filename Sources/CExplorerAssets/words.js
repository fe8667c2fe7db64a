// The words of scripts in the language of the page, from the catalogue that the server speaks from.

const { lang } = document.documentElement;
const { default: words } = await import(`./words-${lang}.js`);
const rules = new Intl.PluralRules(lang);
const digits = new Intl.NumberFormat(`${lang}-u-nu-latn`);

/** A number as the language writes it. */
export const grouped = (number) => digits.format(number);

/** A message with what stands in its places; the number `count` chooses its form. */
export function word(key, values = {}) {
  let text = words[key];
  if (typeof text === 'object') text = text[rules.select(values.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => (
    typeof values[name] === 'number' ? grouped(values[name]) : values[name]));
}

/** A rank in the language, or in English where that has no usual word for it. */
export const rankWord = (rank) => words.ranks[rank] ?? rank;

/** What stands between the parts of an enumeration. */
export const comma = words.comma;
