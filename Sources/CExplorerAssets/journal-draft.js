// Drafts of notes, where scripts run: what is typed into a form is kept in this browser until it is in the journal, so
// that a reload or a crash loses nothing. Nothing of it leaves the machine. A journal with a passphrase has no drafts, and
// the pages that say so throw away those that there are.

import { element } from './names.js';

const prefix = 'stol-draft-';
// Files cannot be filled in again, and a token is of one start of the server.
const left = new Set(['token', 'id', 'photo', 'track', 'mapat', 'mapz', 'look', 'move']);
// A draft that nobody has touched for so long is thrown away.
const days = 30;

function all() {
  const drafts = [];
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(prefix)) continue;
      try {
        const draft = JSON.parse(localStorage.getItem(key));
        if (!Array.isArray(draft.fields) || !(Date.now() - draft.at < days * 86_400_000)) throw new Error('old');
        drafts.push({ key, ...draft });
      } catch {
        localStorage.removeItem(key);
      }
    }
  } catch {
    // A browser that keeps nothing.
  }
  return drafts.sort((a, b) => b.at - a.at);
}

function forget(key) {
  try { localStorage.removeItem(key); } catch { /* It keeps nothing. */ }
}

/** Throws away all drafts, or those that were sent. */
export function clear(isSent = false) {
  for (const draft of all()) if (!isSent || draft.isSent) forget(draft.key);
}

function named(draft) {
  const values = Object.fromEntries(draft.fields);
  return [values.shown || values.taxon || values.individual || 'A note', values.place, values.when].filter(Boolean).join(', ');
}

export function start(place) {
  const form = document.querySelector('form[data-entry]');
  const hint = document.querySelector('#draft-hint');
  if (!form) return;
  if ('private' in place.dataset) return clear();
  hint.textContent = 'What is typed here stays in this browser until you keep it: a reload or a crash loses nothing but the choice of a photo or a track.';
  let key = prefix + form.elements.id.value;
  // What came back with an error is on the page, and was not kept.
  let isSent = false;
  let timer = null;

  function fields() {
    const fields = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !left.has(name) && value !== '');
    const name = form.querySelector('#what').value.trim();
    if (name) fields.push(['shown', name]);
    return fields;
  }

  const first = JSON.stringify(fields());

  function keep(isChanged = false) {
    clearTimeout(timer);
    timer = null;
    const now = fields();
    if (!isChanged && !isSent && JSON.stringify(now) === first) return;
    try {
      localStorage.setItem(key, JSON.stringify({ id: form.elements.id.value, at: Date.now(), isSent, fields: now }));
    } catch {
      // A browser that keeps nothing: then the form is as it is without scripts.
    }
  }

  function fill(draft) {
    for (const [name, value] of draft.fields) {
      if (name === 'shown') continue;
      if (name === 'taxon') {
        const shown = draft.fields.find(([other]) => other === 'shown')?.[1] ?? value;
        form.querySelector('#what').dispatchEvent(new CustomEvent('refill', { detail: { text: shown, id: shown === value ? null : value } }));
        continue;
      }
      const field = form.elements[name];
      if (field instanceof RadioNodeList) field.value = value;
      else if (field) field.value = value;
      else form.prepend(element('input', { type: 'hidden', name, value }));
    }
    // The same UUID: what was kept already is kept once.
    forget(key);
    key = draft.key;
    form.elements.id.value = draft.id;
    form.dispatchEvent(new Event('change'));
  }

  function offer(draft) {
    const box = element('div', { className: 'help', role: 'status' });
    const go = element('button', { type: 'button', className: 'button main' }, 'Go on with it');
    const away = element('button', { type: 'button', className: 'button' }, 'Throw it away');
    go.addEventListener('click', () => { fill(draft); box.remove(); form.querySelector('#what').focus(); });
    away.addEventListener('click', () => { forget(draft.key); box.remove(); form.querySelector('#what').focus(); });
    box.append(
      element('p', {}, draft.isSent ? 'This was sent, and nobody knows whether it is kept: keeping it again makes no second one. ' : 'There is a draft that was not kept: ', element('bdi', {}, named(draft))),
      element('p', { className: 'actions' }, go, ' ', away));
    place.append(box);
  }

  const mine = all().find((draft) => draft.key === key);
  const other = all().find((draft) => draft.key !== key);
  if (mine) keep(true); else if (other) offer(other);

  form.addEventListener('input', () => { isSent = false; timer ??= setTimeout(keep, 400); });
  form.addEventListener('change', () => keep());
  addEventListener('pagehide', () => { if (timer) keep(); });
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name) return keep();
    isSent = true;
    keep();
  });
}
