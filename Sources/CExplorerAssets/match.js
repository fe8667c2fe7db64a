// Takes a file that is dropped anywhere on the form; without scripts it is dropped on its field.

import { say } from './say.js';
import { word } from './words.js';

export function start(form) {
  const field = form.querySelector('input[type=file]');
  if (!field) return;

  function isFile(event) {
    return [...event.dataTransfer?.types ?? []].includes('Files');
  }

  form.addEventListener('dragover', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    form.classList.add('over');
  });
  form.addEventListener('dragleave', (event) => {
    if (!form.contains(event.relatedTarget)) form.classList.remove('over');
  });
  form.addEventListener('drop', (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    form.classList.remove('over');
    field.files = event.dataTransfer.files;
    field.focus();
    say(word('isChosen', { taxon: field.files[0]?.name ?? word('noFile') }));
  });
}
