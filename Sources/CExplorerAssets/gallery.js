// Enlarges the pictures of a page in place: a dialog shows one, and leads to the others by buttons, arrows and a
// stroke of a finger. Without scripts each picture is a link to itself.

import { element } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

const leastStroke = 40;

let dialog = null;
let links = [];
let place = 0;
let isBegun = false;

export function start() {
  if (isBegun) return;
  isBegun = true;
  document.getElementById('main').addEventListener('click', (event) => {
    const link = event.target.closest('a.enlarge');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    links = [...document.querySelectorAll('a.enlarge')];
    open(links.indexOf(link));
  });
}

function button(label, sign, act) {
  const made = element('button', { type: 'button', className: 'button', 'aria-label': label }, sign);
  made.addEventListener('click', act);
  return made;
}

function build() {
  const image = element('img', {});
  const caption = element('figcaption', {});
  const count = element('span', { className: 'count' });
  const back = button(word('previousPicture'), '‹', () => step(-1));
  const next = button(word('nextPicture'), '›', () => step(1));
  const close = button(word('close'), '×', () => dialog.close());
  close.autofocus = true;
  dialog = element(
    'dialog', { className: 'lightbox', 'aria-label': word('picture') },
    element('figure', {}, image, caption),
    element('div', { className: 'actions' }, back, count, next, close));
  Object.assign(dialog, { image, caption, count, last: close, steps: [back, next] });
  document.body.append(dialog);

  dialog.addEventListener('keydown', (event) => {
    // The next one lies where lines go.
    const steps = { ArrowLeft: -onwards(), ArrowRight: onwards(), Home: -place, End: links.length - 1 - place };
    if (event.altKey || event.ctrlKey || event.metaKey || !(event.key in steps)) return;
    event.preventDefault();
    step(steps[event.key]);
  });
  // Beside the picture is the dialog itself.
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener('close', () => {
    image.removeAttribute('src');
    links[place]?.focus();
  });
  image.addEventListener('error', () => {
    if (!image.hasAttribute('src')) return;
    image.alt = word('cannotShow');
  });

  let begin = null;
  image.draggable = false;
  image.addEventListener('pointerdown', (event) => { begin = event.clientX; });
  image.addEventListener('pointerup', (event) => {
    const way = event.clientX - (begin ?? event.clientX);
    begin = null;
    if (Math.abs(way) >= leastStroke) step(way < 0 ? onwards() : -onwards());
  });
  image.addEventListener('pointercancel', () => { begin = null; });
}

/** 1 where lines run to the right, -1 where they run to the left. */
const onwards = () => (document.documentElement.dir === 'rtl' ? -1 : 1);

function open(index) {
  if (!dialog) build();
  show(index);
  dialog.showModal();
}

function step(by) {
  const wanted = Math.min(links.length - 1, Math.max(0, place + by));
  if (wanted !== place) show(wanted);
}

function show(index) {
  place = index;
  const link = links[index];
  const { image, caption, count, steps } = dialog;
  image.alt = link.querySelector('img').alt;
  image.src = link.href;
  caption.replaceChildren(
    ...[...link.closest('figure').querySelector('figcaption').childNodes].map((node) => node.cloneNode(true)));
  count.textContent = links.length > 1 ? word('numberOf', { number: index + 1, count: links.length }) : '';
  for (const one of steps) one.hidden = links.length < 2;
  steps[0].disabled = index === 0;
  steps[1].disabled = index === links.length - 1;
  // What had the focus may be gone, or can do nothing here.
  const focused = document.activeElement;
  if (dialog.open && (!dialog.contains(focused) || focused.disabled)) dialog.last.focus();
  say(image.alt);
}
