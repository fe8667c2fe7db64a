// What was kept is no draft any more.

import { clear } from './journal-draft.js';

export function start(notice) {
  if (['new', 'same', 'updated'].includes(notice.dataset.done)) clear(true);
}
