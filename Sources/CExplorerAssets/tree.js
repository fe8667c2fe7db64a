// Turns the list of a branch into a tree in which branches open in place, with the keys of the ARIA
// Authoring Practices. Children are asked for when a branch is first opened.

import { element } from './names.js';
import { say } from './say.js';
import { adopt, made, set } from './tree-rows.js';
import { word } from './words.js';

const typingPause = 500;
// As many open branches stand in an address.
const mostRemembered = 100;

export function start(tree) {
  let current = null;
  let typed = '';
  let lastTyped = 0;

  // Loading ---------------------------------------------------------------------------------------

  /** Children of a branch by the page; the last item of a page asks for the next one. */
  async function load(item, group, page) {
    item.setAttribute('aria-busy', 'true');
    item.querySelector(':scope > .row > .failure')?.remove();
    try {
      const sort = new URLSearchParams(location.search).get('sort') ?? 'name';
      const answer = await fetch(`/tree/${item.dataset.id}.json?${new URLSearchParams({ page, sort })}`);
      if (!answer.ok) throw new Error(answer.statusText);
      const branch = await answer.json();
      const { children, childCount, pageSize, counts, speciesCount, thumbnails } = branch;
      const level = Number(item.getAttribute('aria-level')) + 1;
      const first = (page - 1) * pageSize;
      const items = children.map(
        (child, index) => made(child, counts[index], speciesCount, thumbnails[index]));
      items.forEach((child, index) => adopt(child, level, first + index + 1, childCount));
      group.append(...items);
      if (first + children.length < childCount) {
        group.append(more(item, group, page + 1, level, childCount - first - children.length));
      }
      return items;
    } catch {
      const sentence = word('branchesFailed');
      const row = item.querySelector(':scope > .row');
      row.append(element('span', { className: 'failure note' }, sentence));
      say(sentence);
      return null;
    } finally {
      item.removeAttribute('aria-busy');
    }
  }

  function more(item, group, page, level, count) {
    const button = element(
      'li', { className: 'more' }, element('div', { className: 'row' }, word('showCountMore', { number: count })));
    set(button, { role: 'treeitem', tabindex: -1, 'aria-level': level });
    button.addEventListener('click', async () => {
      const items = await load(item, group, page);
      if (!items) return;
      focus(items[0]);
      button.remove();
    });
    return button;
  }

  // Opening and closing ----------------------------------------------------------------------------

  const isBranch = (item) => item.hasAttribute('aria-expanded');
  const isOpen = (item) => item.getAttribute('aria-expanded') === 'true';
  const groupOf = (item) => item.querySelector(':scope > [role=group]');
  const parentOf = (item) => item.parentElement.closest('[role=treeitem]');

  async function open(item) {
    if (!isBranch(item) || isOpen(item) || item.hasAttribute('aria-busy')) return;
    let group = groupOf(item);
    if (!group) {
      group = element('ul', { role: 'group' });
      const items = await load(item, group, 1);
      if (!items) return;
      item.append(group);
    }
    group.hidden = false;
    item.setAttribute('aria-expanded', 'true');
    remember();
  }

  function close(item) {
    groupOf(item).hidden = true;
    item.setAttribute('aria-expanded', 'false');
    if (item.contains(current) && item !== current) focus(item);
    remember();
  }

  /** Puts the branches that are open into the address, so that going back or a bookmark opens them again. */
  function remember() {
    const opened = [...tree.querySelectorAll('[aria-expanded=true]')].filter(
      (item) => !item.parentElement.closest('[hidden]'));
    const ids = opened.slice(0, mostRemembered).map((item) => encodeURIComponent(item.dataset.id));
    const hash = ids.length > 0 ? `#open=${ids.join(',')}` : '';
    history.replaceState(history.state, '', location.pathname + location.search + hash);
  }

  /** Opens what the address says; what is no longer there is passed over. */
  async function recall() {
    if (!location.hash.startsWith('#open=')) return;
    for (const part of location.hash.slice('#open='.length).split(',').slice(0, mostRemembered)) {
      let id;
      try {
        id = decodeURIComponent(part);
      } catch {
        continue;
      }
      const item = [...tree.querySelectorAll('[role=treeitem]')].find((one) => one.dataset.id === id);
      if (item) await open(item);
    }
  }

  const toggle = (item) => (isOpen(item) ? close(item) : open(item));

  // Focus ------------------------------------------------------------------------------------------

  /** One item can be reached with Tab, and then the link beside its name. */
  function makeCurrent(item) {
    if (item === current) return;
    for (const [old, index] of [[current, -1], [item, 0]]) {
      if (!old) continue;
      old.tabIndex = index;
      for (const link of old.querySelectorAll(':scope > .row .about')) {
        link.tabIndex = index;
      }
    }
    current = item;
  }

  function focus(item) {
    if (!item) return;
    makeCurrent(item);
    item.focus();
    item.querySelector('.row').scrollIntoView({ block: 'nearest' });
  }

  function shown() {
    return [...tree.querySelectorAll('[role=treeitem]')].filter(
      (item) => !item.parentElement.closest('[hidden]'));
  }

  /** The next item whose name begins with what has been typed. */
  function type(letter, now) {
    typed = now - lastTyped < typingPause ? typed + letter : letter;
    lastTyped = now;
    const items = shown();
    const from = items.indexOf(current) + (typed.length === 1 ? 1 : 0);
    const begins = (item) => [...item.querySelectorAll(':scope > .row bdi')].some(
      (name) => name.textContent.toLocaleLowerCase().startsWith(typed));
    focus([...items.slice(from), ...items.slice(0, from)].find(begins));
  }

  /** Keys as they are where lines run to the right: what is inside lies where lines go. */
  const isMirrored = document.documentElement.dir === 'rtl';
  const onwards = (key) => (isMirrored ? { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' }[key] ?? key : key);

  async function press(event, item) {
    const items = shown();
    const place = items.indexOf(item);
    switch (onwards(event.key)) {
    case 'ArrowDown': return focus(items[place + 1]);
    case 'ArrowUp': return focus(items[place - 1]);
    case 'Home': return focus(items[0]);
    case 'End': return focus(items.at(-1));
    case 'ArrowRight':
      if (!isBranch(item)) return undefined;
      return isOpen(item) ? focus(groupOf(item).firstElementChild) : open(item);
    case 'ArrowLeft': return isOpen(item) ? close(item) : focus(parentOf(item));
    case 'Enter': return (item.querySelector(':scope > .row .taxon') ?? item).click();
    case ' ':
      if (isBranch(item)) return toggle(item);
      return item.matches('.more') ? item.click() : undefined;
    case '*':
      for (const sibling of [...item.parentElement.children]) await open(sibling);
      return undefined;
    default: return type(event.key.toLocaleLowerCase(), event.timeStamp);
    }
  }

  const keys = new Set([
    'ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter',
  ]);

  tree.addEventListener('keydown', (event) => {
    const item = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || !item.matches('[role=treeitem]')) return;
    if (!keys.has(event.key) && [...event.key].length > 1) return;
    event.preventDefault();
    press(event, item);
  });

  tree.addEventListener('click', (event) => {
    const item = event.target.closest('[role=treeitem]');
    if (!item) return;
    makeCurrent(item);
    if (event.target.closest('.twisty')) {
      item.focus({ preventScroll: true });
      toggle(item);
    }
  });

  tree.addEventListener('focusin', (event) => {
    const item = event.target.closest('[role=treeitem]');
    if (item) makeCurrent(item);
  });

  const items = [...tree.children];
  const first = Number(tree.dataset.first ?? 1);
  const count = Number(tree.dataset.count ?? items.length);
  set(tree, { role: 'tree', 'aria-label': document.querySelector('h1').textContent });
  items.forEach((item, index) => adopt(item, 1, first + index, count));
  makeCurrent(items[0]);
  recall();
}
