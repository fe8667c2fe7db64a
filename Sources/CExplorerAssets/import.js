// Imports a database or a pack of images from a chosen file, and shows how far that is. Without scripts a form
// sends the file, and the page loads itself again until the import has ended.

import { element } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

const pollInterval = 300;

export function start(part) {
  if ('import' in part.dataset) prepare(part); else follow(part);
}

// Choosing and sending -----------------------------------------------------------------------------

function prepare(part) {
  const form = part.querySelector('form');
  const file = form?.querySelector('#file');
  if (!file) return;

  // Whoever has scripts chooses the file; a path is asked for only where somebody wants to give one.
  const pathField = form.querySelector('#path-field');
  if (pathField) {
    const toggle = element('button', { type: 'button', className: 'button' }, word('orPath'));
    pathField.hidden = true;
    file.parentElement.after(pathField, toggle);
    toggle.addEventListener('click', () => {
      toggle.remove();
      pathField.hidden = false;
      pathField.querySelector('input').focus();
    });
  }

  form.addEventListener('submit', (event) => {
    if (file.files.length > 0) {
      event.preventDefault();
      send(part.dataset.import, form, file.files[0]);
    } else if (!pathField || pathField.hidden) {
      event.preventDefault();
      file.focus();
      tell(form, word('chooseFirst'));
    }
  });
}

/** Sends the file; the answer comes once all of it has arrived. */
function send(address, form, file) {
  const query = new URLSearchParams();
  for (const name of ['downgrade', 'replace']) {
    if (form.elements.namedItem(name)?.checked) query.set(name, 'yes');
  }
  const request = new XMLHttpRequest();
  const { bar, words } = progress(form);
  const button = form.querySelector('[type=submit]');
  button.disabled = true;

  function fail(reason) {
    bar.remove();
    words.textContent = word('fileNotTaken', { reason });
    words.setAttribute('role', 'alert');
    button.disabled = false;
  }

  request.upload.addEventListener('progress', ({ loaded, total }) => {
    show(bar, words, total > 0 ? loaded / total : 0, word('sent'));
  });
  request.addEventListener('load', () => {
    // What is wrong with a file is said by a page, in words for people.
    if (request.status === 202 || isSettled(request)) return location.assign(address);
    fail(reason(request));
  });
  request.addEventListener('error', () => fail(word('noAnswer')));
  request.open('POST', `${address}.json${query.size > 0 ? `?${query}` : ''}`);
  request.setRequestHeader('content-type', 'application/octet-stream');
  request.setRequestHeader('stol-token', form.querySelector('[name=token]').value);
  request.send(file);
  say(word('fileIsSent'));
}

/** Whether the file was taken and refused, as its page says. */
function isSettled(request) {
  if (request.status === 409) return false;
  try {
    return JSON.parse(request.responseText).state === 'failed';
  } catch {
    return false;
  }
}

/** Says something below the form, to whoever looks and to whoever listens. */
function tell(form, sentence) {
  form.querySelectorAll('.sending').forEach((old) => old.remove());
  form.append(element('p', { className: 'sending note' }, sentence));
  say(sentence);
}

/** What the server says went wrong, from JSON or from a line of text. */
function reason(request) {
  if (request.status === 409) return word('anotherImport');
  try {
    return JSON.parse(request.responseText).reason ?? request.statusText;
  } catch {
    return request.responseText.replace(/^stol: /, '').trim() || request.statusText;
  }
}

/** A bar and a line of words below a form. */
function progress(form) {
  form.querySelectorAll('.sending').forEach((old) => old.remove());
  const bar = element('progress', { className: 'sending', max: 100, value: 0 });
  bar.setAttribute('aria-label', word('progressLabel'));
  const words = element('p', { className: 'sending note' });
  form.append(bar, words);
  return { bar, words };
}

function show(bar, words, fraction, stage) {
  const percent = Math.floor(fraction * 100);
  bar.value = percent;
  words.textContent = word('progressStage', { percent: word('percent', { number: percent }), stage });
}

// Following ----------------------------------------------------------------------------------------

/** Shows how far the import is, and its end as a page of its own. */
async function follow(part) {
  const bar = part.querySelector('progress');
  const words = part.querySelector('p');
  let last = '';
  for (;;) {
    await new Promise((done) => { setTimeout(done, pollInterval); });
    let now;
    try {
      now = await (await fetch(part.dataset.progress)).json();
    } catch {
      words.textContent = word('serverGone');
      return say(words.textContent);
    }
    if (now.state === 'running') {
      // The page of an import that runs has a bar and a way to end it.
      if (!bar) return location.reload();
      show(bar, words, now.fractionCompleted, now.stage);
    } else if (now.state !== 'receiving') {
      return location.reload();
    }
    const step = now.stage ?? now.state;
    if (step !== last) say(word('importingStep', { step }));
    last = step;
  }
}
