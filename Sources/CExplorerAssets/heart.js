// Adds a taxon to the favourites, or removes it, without leaving the page. Where that fails, the form
// is sent as it is without scripts.

import { say } from './say.js';
import { grouped, word } from './words.js';

export function start(form) {
  const button = form.querySelector('button');
  const action = form.querySelector('[name=action]');
  const label = form.querySelector('.word');
  let isBusy = false;

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      const answer = await fetch(`${form.getAttribute('action')}.json`, {
        method: 'POST', body: new URLSearchParams(new FormData(form)),
      });
      if (!answer.ok) throw new Error(answer.statusText);
      const { isFavorite, count } = await answer.json();
      show(isFavorite, count);
    } catch {
      form.submit();
    }
    isBusy = false;
  });

  function show(isFavorite, count) {
    const before = label.textContent;
    action.value = isFavorite ? 'remove' : 'add';
    label.textContent = word(isFavorite ? 'favorite' : 'add');
    button.setAttribute('aria-pressed', String(isFavorite));
    button.setAttribute('aria-label', button.getAttribute('aria-label').replace(before, label.textContent));
    form.classList.toggle('beating', isFavorite);
    const counter = document.getElementById('favorite-count');
    if (counter) counter.textContent = count > 0 ? ` ${grouped(count)}` : '';
    say(word(isFavorite ? 'addedToFavorites' : 'removedFromFavorites'));
  }
}
