// The form of a new note, where scripts run: a line that says what will be kept, a button that asks the browser where it
// is, and a map that takes a tap without loading the page again. Without it the form does the same, but for the button.

import { element } from './names.js';

const classes = [[5, 'excellent'], [10, 'good'], [15, 'acceptable'], [20, 'marginal']];

export function start(form) {
  const review = form.querySelector('#review');
  const field = (name) => form.querySelector(`#${name}`);

  function accuracy(metres) {
    const word = classes.find(([limit]) => metres < limit)?.[1] ?? 'poor';
    return `${word}, within ${metres} m`;
  }

  /** A tank with its pressures first: "200 to 60 bar, 12 l, EAN32". */
  function tank(text) {
    const parts = text.split(',').map((part) => part.replaceAll(' ', '')).filter(Boolean);
    const isPressure = (part) => part.endsWith('bar') && !part.endsWith('mbar');
    const pressures = parts.filter(isPressure)
      .map((part) => `${part.slice(0, -3).split('-').map((end) => end.replace(/bar$/, '')).join(' to ')} bar`);
    const others = parts.filter((part) => !isPressure(part))
      .map((part) => part.replace(/^(\d.*)l$/, '$1 l'));
    return [...pressures, ...others].join(', ');
  }

  /** What is about to be kept, as "Oak, 2, 12 m, 46 min, 200 to 60 bar". */
  function say() {
    const isDive = field('kind-dive').checked;
    const value = (name) => field(name)?.value.trim() ?? '';
    const more = field('kind-tree').checked ? 0
      : value('more').split('\n').filter((line) => line.trim()).length;
    const unit = (text, word) => (/^[\d.]+$/.test(text) ? `${text} ${word}` : text);
    const parts = [
      value('what'), value('count'), more > 0 ? `and ${more} more` : '',
      isDive ? unit(value('depth'), 'm') : '', isDive ? unit(value('duration'), 'min') : '',
      isDive ? tank(value('tank')) : '',
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

  /** Takes a tap on the small map, and moves it, in place. */
  function offerMap() {
    const map = field('spot');
    const [latitudeUnits, longitudeUnits, finger] = [480, 720, 8 * 720 / 270];
    const at = () => field('mapat').value.split(',').map(Number);
    const zoom = () => Number(field('mapz').value);
    const degrees = () => 360 / longitudeUnits / 2 ** zoom();
    const shrink = () => Math.max(0.02, Math.cos(at()[0] * Math.PI / 180));
    const wrapped = (longitude) => ((longitude + 180) % 360 + 360) % 360 - 180;

    function show(latitude, longitude, next) {
      const level = Math.min(22, Math.max(0, next));
      const most = Math.max(0, 90 - latitudeUnits / 2 * 360 / longitudeUnits / 2 ** level);
      const middle = [Math.min(most, Math.max(-most, latitude)), level === 0 ? 0 : wrapped(longitude)];
      field('mapat').value = middle.map((number) => number.toFixed(7)).join(',');
      field('mapz').value = level;
      const query = new URLSearchParams({ at: field('mapat').value, z: level, size: 'small' });
      const spot = field('at').value.trim().split(/[\s,;]+/);
      if (spot.length === 2 && spot.every((part) => part && Number.isFinite(Number(part)))) query.set('spot', spot.join(','));
      map.src = `${new URL(map.src).pathname}?${query}`;
    }

    function rounded(metres) {
      const unit = 10 ** Math.max(0, Math.floor(Math.log10(metres)) - 1);
      return Math.max(1, Math.ceil(metres / unit) * unit);
    }

    map.addEventListener('click', (event) => {
      event.preventDefault();
      // A key presses no spot.
      if (event.detail === 0) return;
      const box = map.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * longitudeUnits;
      const y = (event.clientY - box.top) / box.height * latitudeUnits;
      const decimals = Math.min(7, Math.max(2, 2 + Math.ceil(zoom() * 0.30103)));
      const latitude = Math.min(90, Math.max(-90, at()[0] + (latitudeUnits / 2 - y) * degrees()));
      const longitude = wrapped(at()[1] + (x - longitudeUnits / 2) * degrees() / shrink());
      field('at').value = `${latitude.toFixed(decimals)}, ${longitude.toFixed(decimals)}`;
      field('accuracy').value = rounded(finger * degrees() * 111_195);
      show(latitude, longitude, zoom() + 2);
      form.dispatchEvent(new Event('change'));
    });

    const moves = { nearer: [0, 0, 2], farther: [0, 0, -2], west: [-0.5, 0, 0], north: [0, 0.5, 0], south: [0, -0.5, 0], east: [0.5, 0, 0] };
    for (const button of form.querySelectorAll('button[name=move]')) {
      button.addEventListener('click', (event) => {
        event.preventDefault();
        const [right, up, step] = moves[button.value];
        show(at()[0] + up * latitudeUnits * degrees(), at()[1] + right * longitudeUnits * degrees() / shrink(), zoom() + step);
      });
    }
  }

  offerMap();
  form.addEventListener('input', say);
  form.addEventListener('change', say);
  // Suggestions fill a field without an event of their own.
  form.addEventListener('click', () => setTimeout(say));
  form.addEventListener('keyup', say);
  offerPosition();
  say();
}
