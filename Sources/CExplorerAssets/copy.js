// Puts a reference or its address on the clipboard: nothing here opens the internet, so what leads
// there is a text to take along.

import { say } from './say.js';

export function start(button) {
  if (!navigator.clipboard) return;
  const word = button.textContent;
  let timer = 0;
  button.hidden = false;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = 'Copied';
      say('Copied');
    } catch {
      button.textContent = 'Not copied';
      say('It could not be copied');
    }
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = word; }, 2000);
  });
}
