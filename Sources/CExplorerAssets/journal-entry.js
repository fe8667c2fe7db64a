// The form of a new note, where scripts run: a line that says what will be kept, and a button that asks the browser
// where it is. Without it the form does the same, but for these two.

import { element } from './names.js';

const classes = [[5, 'excellent'], [10, 'good'], [15, 'acceptable'], [20, 'marginal']];

export function start(form) {
  const review = form.querySelector('#review');
  const field = (name) => form.querySelector(`#${name}`);

  function accuracy(metres) {
    const word = classes.find(([limit]) => metres < limit)?.[1] ?? 'poor';
    return `${word}, within ${metres} m`;
  }

  /** What is about to be kept, as "Oak, 2, 12 m, 46 min". */
  function say() {
    const isDive = field('kind-dive').checked;
    const value = (name) => field(name)?.value.trim() ?? '';
    const more = field('kind-tree').checked ? 0
      : value('more').split('\n').filter((line) => line.trim()).length;
    const unit = (text, word) => (/^[\d.]+$/.test(text) ? `${text} ${word}` : text);
    const parts = [
      value('what'), value('count'), more > 0 ? `and ${more} more` : '',
      isDive ? unit(value('depth'), 'm') : '', isDive ? unit(value('duration'), 'min') : '',
      isDive ? value('tank').replace(/(\d+)-(\d+) ?bar/, '$1 to $2 bar') : '',
      value('when'), value('place'), value('at'),
      value('at') && Number(value('accuracy')) > 0 ? accuracy(Number(value('accuracy'))) : '',
      field('photo').files.length > 0 ? 'a photo' : '',
    ];
    review.replaceChildren(element('bdi', {}, parts.filter(Boolean).join(', ')));
  }

  function offerPosition() {
    if (!navigator.geolocation || !isSecureContext) return;
    const line = form.querySelector('#locate');
    const button = element('button', { type: 'button', className: 'button' }, 'Where I am now');
    const answer = element('span', { role: 'status', className: 'note' });
    button.addEventListener('click', () => {
      answer.textContent = 'The browser looks for it…';
      navigator.geolocation.getCurrentPosition(({ coords }) => {
        const metres = Math.max(1, Math.ceil(coords.accuracy));
        field('at').value = `${coords.latitude.toFixed(6)}, ${coords.longitude.toFixed(6)}`;
        field('accuracy').value = metres;
        answer.textContent = accuracy(metres);
        say();
      }, (error) => { answer.textContent = `The browser does not say: ${error.message}`; },
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 0 });
    });
    line.append(button, answer);
    line.hidden = false;
  }

  form.addEventListener('input', say);
  form.addEventListener('change', say);
  // Suggestions fill a field without an event of their own.
  form.addEventListener('click', () => setTimeout(say));
  form.addEventListener('keyup', say);
  offerPosition();
  say();
}
