// Completes names while they are typed: a field becomes a combobox with a list of suggestions, as the
// ARIA Authoring Practices have it. On a search field a choice leads to the taxon; a field with
// data-fill takes the choice instead.

import { badges, capitalised, common, element, scientific, title } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

export function start(input) {
  const list = element('ul', {
    className: 'suggestions', id: `${input.id}-list`, role: 'listbox', hidden: true,
    'aria-label': word('suggestionsLabel'),
  });
  input.parentElement.append(list);
  const attributes = {
    role: 'combobox', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': list.id,
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);

  const name = input.name;
  let chosenField = null;
  let results = [];
  let active = -1;
  let asking = null;

  function open() {
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
  }

  function close() {
    asking?.abort();
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    activate(-1);
  }

  function activate(index) {
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = index;
    const option = list.children[active];
    if (!option) return input.removeAttribute('aria-activedescendant');
    option.setAttribute('aria-selected', 'true');
    option.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', option.id);
  }

  /** Asks for what begins like the text; an older answer never replaces a newer one. */
  async function ask() {
    asking?.abort();
    const text = input.value.trim();
    if (!text) {
      results = [];
      return close();
    }
    const mine = asking = new AbortController();
    try {
      const address = `${input.dataset.complete}?${new URLSearchParams({ q: text })}`;
      const answer = await fetch(address, { signal: mine.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const found = (await answer.json()).results;
      if (mine !== asking || mine.signal.aborted) return;
      show(found);
    } catch {
      // A keystroke followed, or the server ended: then the form still works as it does without.
    }
  }

  function show(found) {
    results = found;
    active = -1;
    input.removeAttribute('aria-activedescendant');
    list.replaceChildren(...found.map((taxon, index) => option(taxon, `${list.id}-${index}`)));
    list.scrollTop = 0;
    open();
    say(found.length === 0 ? word('noSuggestions') : word('suggestions', { count: found.length }));
  }

  function choose(taxon) {
    close();
    // A page may have something better to do than to leave.
    const event = new CustomEvent('chosen', { detail: taxon, bubbles: true, cancelable: true });
    if (!input.dispatchEvent(event)) return;
    if (!('fill' in input.dataset)) {
      location.assign(input.dataset.taxon + taxon.address);
      return;
    }
    fill(title(taxon), taxon.address);
    say(word('isChosen', { taxon: title(taxon) }));
  }

  /** Shows a name in the field, and lets the form send the address: a name may mean several. */
  function fill(text, id) {
    unfill();
    input.value = text;
    input.removeAttribute('name');
    chosenField = element('input', { type: 'hidden', name, value: id });
    input.after(chosenField);
  }

  function unfill() {
    chosenField?.remove();
    chosenField = null;
    input.name = name;
  }

  input.addEventListener('input', () => {
    unfill();
    ask();
  });

  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const isOpen = !list.hidden;
    const count = results.length;
    switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp':
      event.preventDefault();
      if (!isOpen) {
        if (count > 0) open(); else ask();
      } else if (!event.altKey) {
        // One place more than there are options: the field itself, where nothing is active.
        const step = event.key === 'ArrowDown' ? 1 : -1;
        activate((active + 1 + step + count + 1) % (count + 1) - 1);
      } else if (event.key === 'ArrowUp') {
        close();
      }
      break;
    case 'Home':
    case 'End':
      if (isOpen) activate(-1);
      break;
    case 'Enter':
      if (isOpen && active >= 0) {
        event.preventDefault();
        choose(results[active]);
      }
      break;
    case 'Escape':
      if (isOpen) {
        event.preventDefault();
        close();
      }
      break;
    }
  });

  // A page that has kept what stood here puts it back.
  input.addEventListener('refill', ({ detail: { text, id } }) => {
    unfill();
    input.value = text;
    if (id) fill(text, id);
  });

  input.addEventListener('blur', close);
  // The field keeps the focus while the list is used with the mouse.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const index = [...list.children].indexOf(event.target.closest('[role=option]'));
    if (index >= 0) choose(results[index]);
  });

  if (input.dataset.id) fill(input.value, input.dataset.id);
}

function option(taxon, id) {
  const names = element('span', { className: 'taxon' });
  const matched = marked(taxon);
  if (taxon.matchType === 'common') {
    names.append(common(matched), ' ', scientific([taxon.scientificName]));
  } else {
    const isSynonym = taxon.matchType === 'synonym';
    if (taxon.commonName) names.append(common([capitalised(taxon.commonName)]), ' ');
    names.append(scientific(isSynonym ? [taxon.scientificName] : matched));
    if (isSynonym) {
      names.append(element('span', { className: 'note' }, ` ${word('calledAlso')} `, scientific(matched)));
    }
  }
  const [rank] = badges({ rank: taxon.rank });
  const option = element('li', { id, role: 'option', 'aria-selected': 'false' }, names, rank);
  if (taxon.speciesCount > 0 && taxon.rank !== 'species') {
    const count = word('speciesCount', { count: taxon.speciesCount });
    names.append(element('span', { className: 'note' }, ` ${count}`));
  }
  option.prepend(taxon.thumbnail
    ? element('img', { className: 'thumb', src: taxon.thumbnail, alt: '', width: 40, height: 40 })
    : element('span', { className: 'thumb none' }));
  return option;
}

/** The name that matched, its matched letters marked; places are counted as strings are here. */
function marked({ matchedName, marks }) {
  const pieces = [];
  let end = 0;
  for (const [from, to] of marks) {
    pieces.push(matchedName.slice(end, from), element('mark', {}, matchedName.slice(from, to)));
    end = to;
  }
  pieces.push(matchedName.slice(end));
  return pieces;
}
