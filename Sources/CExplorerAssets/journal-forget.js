// A journal that is locked leaves nothing in a browser.

import { clear } from './journal-draft.js';

export function start() { clear(); }
