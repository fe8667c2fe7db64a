// The words around the picture of all life: where one is, the way there, what is in it as a list, and the
// buttons. A screen reader has all of the picture here.

import { titleOf } from './life-labels.js';
import { badges, capitalised, common, element, scientific } from './names.js';
import { say } from './say.js';
import { comma, rankWord, word } from './words.js';

// As many steps of the way are beside the first one, and on a telephone.
const [mostSteps, fewSteps] = [5, 2];
const isNarrow = matchMedia('(max-width: 47.99rem)');

export function guide(section, stage, does) {
  const button = (label, text, act) => {
    const made = element('button', { type: 'button', className: 'button', title: label, 'aria-label': label }, text);
    made.addEventListener('click', act);
    return made;
  };
  const way = element('nav', { className: 'breadcrumb life-way', 'aria-label': word('whereYouAre') });
  const controls = element(
    'div', { className: 'life-controls', role: 'group', 'aria-label': word('zoom') },
    button(word('zoomIn'), '+', () => does.zoomBy(does.zoomStep)),
    button(word('zoomOut'), '−', () => does.zoomBy(1 / does.zoomStep)),
    button(word('outToHolder'), '↑', does.out),
    button(word('allLife'), '⌂', does.home));
  stage.append(controls);
  const here = element('div', { className: 'life-here' });
  const legend = element(
    'p', { className: 'note' },
    word('lifeLegend'));
  const list = element('ul', { className: 'life-list' });
  const inside = element(
    'details', { className: 'part' }, element('summary', {}, word('lifeList')), list);
  section.prepend(way);
  section.append(here, legend, inside);
  const heading = document.querySelector('main h1');
  const beyond = document.title.includes(' – ') ? document.title.slice(document.title.indexOf(' – ')) : '';
  let isFirst = true;
  let shown = '';

  function step(box, isCurrent) {
    const name = element('bdi', { lang: box.said?.commonNameLang }, titleOf(box));
    if (isCurrent) return element('li', {}, element('span', { 'aria-current': 'location' }, name));
    const link = element('a', { href: `/icicle${box.parent ? `/${box.name}` : ''}` }, element('span', { className: 'common' }, name));
    link.addEventListener('click', (event) => go(event, box));
    return element('li', {}, link);
  }

  function go(event, box) {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    does.fly(box);
  }

  function names(box) {
    const { said } = box;
    if (!said.scientificName) return [titleOf(box)];
    return [
      ...(said.commonName ? [common([capitalised(said.commonName)], said.commonNameLang), ' '] : []),
      scientific([said.scientificName]),
    ];
  }

  const count = (box) => (box.said.speciesCount > 0 && box.said.rank !== 'species'
    ? word('speciesCount', { count: box.said.speciesCount }) : '');

  function item(box) {
    const link = element(
      'a', { className: 'taxon', href: box.said.memberCount ? '#list' : `/icicle/${box.name}` }, ...names(box));
    link.addEventListener('click', (event) => {
      go(event, box);
      inside.querySelector('summary').focus({ preventScroll: true });
    });
    return element(
      'li', {}, link, ' ', ...(box.said.rank ? badges(box.said) : []), ' ', element('span', { className: 'note' }, count(box)));
  }

  return {
    /** Where the buttons lie on the picture. */
    areas(frame) {
      const area = controls.getBoundingClientRect();
      return [{ x: area.x - frame.x - 4, y: area.y - frame.y - 4, width: area.width + 8, height: area.height + 8 }];
    },
    /** Says where one is; `isNew` if that is another box than before. */
    show(box, isNew) {
      const known = `${box.name} ${box.isOpened}`;
      if (known === shown) return;
      shown = known;
      const steps = box.way.filter((one) => one === box || !one.parent || one.said?.scientificName);
      const [root, ...others] = steps;
      const last = others.slice(isNarrow.matches ? -fewSteps : -mostSteps);
      way.replaceChildren(element(
        'ol', {}, step(root, root === box),
        ...(last.length < others.length ? [element('li', {}, element('span', {}, '…'))] : []),
        ...last.map((one) => step(one, one === box))));
      heading.replaceChildren(...names(box));
      document.title = `${titleOf(box)}${beyond}`;
      const { taxon } = box;
      here.replaceChildren(...[
        element('p', { className: 'badges' }, ...(box.said.rank ? badges(box.said) : []), ' ', element('span', { className: 'note' }, count(box))),
        element(
          'p', { className: 'actions' },
          ...(taxon ? [element('a', { className: 'button', href: `/taxon/${taxon.name}` }, word('aboutTaxon', { taxon: titleOf(taxon) }))] : []),
          element('a', { className: 'button', href: `/tree${taxon ? `/${taxon.name}` : ''}` }, word('asTree'))),
      ]);
      const below = (box.boxes ?? []).filter((one) => one.said);
      list.replaceChildren(...(below.length > 0 ? below.map(item) : [element('li', {}, word(box.isOpenable ? 'loading' : 'leafSentence'))]));
      if (isNew && !isFirst) {
        const above = box.parent?.taxon;
        say([titleOf(box), box.said.commonName ? box.said.scientificName : '', box.said.rank ? rankWord(box.said.rank) : '', count(box),
          above ? word('insideOf', { taxon: titleOf(above) }) : ''].filter(Boolean).join(comma));
      }
      isFirst = false;
    },
  };
}
