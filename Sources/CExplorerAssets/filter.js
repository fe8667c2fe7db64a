// A field that finds among many names: what does not have the letters is folded away. Without scripts all of
// them stand there.

import { element } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

/** Without case and accents. */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();

export function start(part) {
  const list = part.querySelector('dl');
  if (!list) return;
  const rows = [...list.children].map((row) => ({ row, text: plain(row.textContent) }));
  const input = element('input', {
    type: 'search', className: 'filter', autocomplete: 'off', spellcheck: false,
    placeholder: part.dataset.filter, 'aria-label': part.dataset.filter,
  });
  const none = element('p', { className: 'note', hidden: true }, word('noneHasLetters'));
  list.before(input, none);
  input.addEventListener('input', () => {
    const wanted = plain(input.value.trim());
    let count = 0;
    for (const { row, text } of rows) {
      row.hidden = !text.includes(wanted);
      if (!row.hidden) count += 1;
    }
    none.hidden = count > 0;
    say(word('ofThem', { count }));
  });
  // A form around it would be sent.
  input.addEventListener('keydown', (event) => { if (event.key === 'Enter') event.preventDefault(); });
}
