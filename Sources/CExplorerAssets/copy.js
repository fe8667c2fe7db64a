// Puts a reference or its address on the clipboard: nothing here opens the internet, so what leads
// there is a text to take along.

import { say } from './say.js';
import { word } from './words.js';

export function start(button) {
  if (!navigator.clipboard) return;
  const before = button.textContent;
  let timer = 0;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = word('copied');
      say(word('copied'));
    } catch {
      button.textContent = word('notCopied');
      say(word('couldNotCopy'));
    }
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = before; }, 2000);
  });
}
