// Builds names and badges as the pages have them, from what the JSON twins say. Texts of a database
// are only ever set as text, so that they cannot become markup.

import { rankWord, word } from './words.js';

const statuses = {
  EX: ['extinct', 'gone'],
  EW: ['extinctWild', 'gone'],
  CR: ['critical', 'threatened'],
  EN: ['endangered', 'threatened'],
  VU: ['vulnerable', 'threatened'],
  NT: ['nearThreatened', 'near'],
  LC: ['leastConcern', 'safe'],
  DD: ['dataDeficient', 'unknown'],
  NE: ['notEvaluated', 'unknown'],
  RE: ['extinctRegion', 'gone'],
  NA: ['notApplicable', 'unknown'],
  'LR/CD': ['dependent', 'near'],
  'LR/NT': ['nearThreatened', 'near'],
  'LR/LC': ['leastConcern', 'safe'],
};

/** An element with properties and children; a string among the children is a text. */
export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (key in made) made[key] = value; else made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

/** The text with its first letter a capital one. */
export function capitalised(text) {
  const [first = ''] = text;
  return first.toUpperCase() + text.slice(first.length);
}

/** What a taxon is called: its common name, else the scientific one. */
export function title(taxon) {
  return taxon.commonName ? capitalised(taxon.commonName) : taxon.scientificName;
}

/** The common name, set apart from the letters around it. */
export function common(content, lang) {
  return element('span', { className: 'common' }, element('bdi', { lang }, ...content));
}

/** The scientific name, in italics. */
export function scientific(content) {
  return element('i', { className: 'scientific', lang: 'la' }, element('bdi', {}, ...content));
}

/** The word of a code of the Red List, and how much danger that is. */
export function dangers(code) {
  const [key, kind] = statuses[code.toUpperCase()] ?? [null, 'unknown'];
  return [key ? word(key) : code, kind];
}

/** Rank and Red List status, with its letters and its word. */
export function badges(taxon) {
  const made = [element('span', { className: 'badge rank' }, rankWord(taxon.rank))];
  const code = taxon.conservationStatus;
  if (code) {
    const [status, kind] = dangers(code);
    made.push(element(
      'span', { className: `badge conservation ${kind}` },
      element('abbr', { title: status }, code), element('span', { className: 'word' }, ` ${status}`)));
  }
  return made;
}
