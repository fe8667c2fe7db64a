// Says things to whoever listens to the page rather than looks at it: what changes without a reload
// is spoken from the one live region that every page has.

const region = document.getElementById('status');

/** Says a sentence, even if it is the same as the last one. */
export function say(sentence) {
  if (!region) return;
  region.textContent = '';
  setTimeout(() => { region.textContent = sentence; }, 50);
}
