// The rows of a tree: makes those that come as JSON like those that come with the page, and makes
// both the items of a tree whose branches open in place.

import { badges, capitalised, common, element, scientific } from './names.js';
import { comma, word } from './words.js';

const svg = 'http://www.w3.org/2000/svg';

/** Makes an item of a row as the page has it. */
export function adopt(item, level, place, count) {
  const row = item.querySelector('.row');
  const what = row.querySelector('.what');
  what.id = `tree-${item.dataset.id}`;
  set(item, {
    role: 'treeitem', tabindex: -1, 'aria-level': level, 'aria-posinset': place,
    'aria-setsize': count, 'aria-labelledby': what.id,
  });
  const about = row.querySelector('.about');
  if (about) {
    // Here a branch opens in place, so that its name can lead to its page as everywhere else.
    const name = what.querySelector('.taxon');
    [name.href, about.href] = [about.href, name.href];
    about.textContent = word('lookInside');
    about.setAttribute('aria-label', word('lookInsideTaxon', { taxon: name.textContent }));
    item.setAttribute('aria-expanded', 'false');
    row.prepend(element(
      'button', { type: 'button', className: 'twisty', tabIndex: -1, 'aria-hidden': 'true' }));
  }
  for (const link of row.querySelectorAll('a')) link.tabIndex = -1;
}

/** The row that the page would have for a taxon. */
export function made(taxon, counts, total, thumbnail) {
  const about = `/taxon/${taxon.address}`;
  const names = element('a', {
    className: 'taxon', href: taxon.hasChildren ? `/tree/${taxon.address}` : about,
  });
  if (taxon.commonName) {
    names.append(common([capitalised(taxon.commonName)], taxon.commonNameLang), ' ');
  }
  names.append(scientific([taxon.scientificName]));
  const what = element('div', { className: 'what' }, names, ' ', ...badges(taxon));
  if (thumbnail) {
    what.prepend(element('img', {
      className: 'thumb', src: thumbnail, alt: '', width: 48, height: 48, loading: 'lazy',
    }));
  }
  if (counts.speciesCount > 0 && taxon.rank !== 'species') what.append(share(counts, total));
  const row = element('div', { className: 'row' }, what);
  if (taxon.hasChildren) row.append(element('a', { className: 'about', href: about }));
  const item = element('li', {}, row);
  item.dataset.id = taxon.address;
  return item;
}

/** A number of species, a bar as long as its share, and what else is counted. */
function share({ speciesCount, genusCount, assessedCount, threatenedCount }, total) {
  const count = element('span', { className: 'count' }, word('speciesCount', { count: speciesCount }));
  const bar = document.createElementNS(svg, 'svg');
  set(bar, { class: 'bar', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const part = document.createElementNS(svg, 'rect');
  set(part, { width: Math.round(speciesCount / total * 1000) / 10, height: 6 });
  bar.append(part);
  const note = [];
  if (genusCount > 1) note.push(word('noteGenera', { genera: word('genera', { count: genusCount }) }));
  if (assessedCount > 0) note.push(word('noteThreatened', { threatened: threatenedCount, assessed: assessedCount }));
  const further = note.length > 0 ? [element('span', { className: 'further' }, note.join(comma))] : [];
  return element('span', { className: 'share' }, count, bar, ...further);
}

/** Sets attributes. */
export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
}
