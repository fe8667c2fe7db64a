// The picture of all life: one flies through it as through a map, from everything to one species. The page
// without scripts has the same as pictures and links; where scripts run, this takes their place.

import { Boxes } from './life-boxes.js';
import { Camera } from './life-camera.js';
import { Drawing } from './life-drawing.js';
import { guide } from './life-guide.js';
import { listen } from './life-hands.js';
import { titleOf } from './life-labels.js';
import { element } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

// How long a flight takes for its length, and at least and at most; all in milliseconds.
const pace = 520;
const [shortest, longest] = [250, 9000];
// What stands still for so long is written down.
const rest = 220;
// At most so many boxes are asked for at once, and so many questions asked.
const mostAsked = 8;
const mostQuestions = 2;
const retryPause = 2000;

export function start(section) {
  const stage = element('div', { className: 'life-stage', dir: 'ltr' });
  const canvas = element('canvas', {
    tabIndex: 0, role: 'application', 'aria-roledescription': word('map'),
    'aria-label': word('lifeKeys'),
  });
  stage.append(canvas);
  section.replaceChildren(stage);
  section.hidden = false;
  document.body.classList.add('has-life');

  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const isCalm = () => calm.matches;
  const boxes = new Boxes(new URLSearchParams(location.search).get('lang'));
  const camera = new Camera(boxes.root);
  const drawing = new Drawing(canvas, redraw, isCalm);
  let hovered = null;
  let marked = [];
  let frame = 0;
  let flying = 0;
  let resting = 0;
  let questions = 0;
  let pausedUntil = 0;
  let turn = 0;

  // Drawing ----------------------------------------------------------------------------------------

  function redraw() {
    if (!frame) frame = requestAnimationFrame(show);
  }

  function show() {
    frame = 0;
    drawing.draw(camera, hovered, marked);
    ask();
    clearTimeout(resting);
    if (!flying) resting = setTimeout(settle, rest);
  }

  function ask() {
    if (performance.now() < pausedUntil) return;
    while (questions < mostQuestions) {
      const wanted = [];
      for (let { box } of drawing.wanted) {
        // What a box is called comes with what is in the one that holds it.
        if (!box.said) box = box.parent;
        if (box?.name && !box.isOpened && !boxes.asked.has(box.name) && !wanted.includes(box)) wanted.push(box);
        if (wanted.length === mostAsked) break;
      }
      if (wanted.length === 0) return;
      questions += 1;
      boxes.open(wanted).then((came) => {
        questions -= 1;
        if (!came) {
          pausedUntil = performance.now() + retryPause;
          setTimeout(redraw, retryPause + 50);
          say(word('notLoaded'));
        }
        camera.settle();
        redraw();
      });
    }
  }

  function resize() {
    const { width, height } = canvas.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    const place = camera.target;
    const isFirst = camera.width === 1;
    const seen = isFirst ? null : { box: camera.place, at: camera.viewIn(camera.box) };
    const held = camera.box;
    camera.resize(width, height);
    drawing.kept = guided.areas(canvas.getBoundingClientRect());
    const isOtherShape = Math.abs(Math.log(width / height / boxes.root.aspect)) > 0.15;
    if (isOtherShape) boxes.shape(width / height);
    if (isFirst) camera.goTo(boxes.root);
    else if (place || isOtherShape) camera.goTo(place ?? seen.box);
    else camera.goTo(held, seen.at);
    redraw();
  }

  // Going ------------------------------------------------------------------------------------------

  /** Ends a flight. */
  function stop() {
    cancelAnimationFrame(flying);
    flying = 0;
    turn += 1;
  }

  /** Flies to a box, or is there at once for whoever likes that better; whether it came to the end. */
  function fly(box, view = null) {
    stop();
    hands.stop();
    const flight = camera.flight(box, view);
    if (isCalm() || flight.length < 1e-6) {
      flight.end();
      redraw();
      return Promise.resolve(true);
    }
    const takes = Math.min(longest, Math.max(shortest, flight.length * pace));
    const mine = turn;
    return new Promise((done) => {
      let began = null;
      const step = (now) => {
        if (mine !== turn) return done(false);
        began ??= now;
        const part = Math.min(1, (now - began) / takes);
        const eased = part < 0.5 ? 2 * part * part : 1 - 2 * (1 - part) ** 2;
        if (part < 1) {
          flight.show(part * 0.35 + eased * 0.65);
          flying = requestAnimationFrame(step);
        } else {
          flying = 0;
          flight.end();
        }
        redraw();
        return part < 1 ? undefined : done(true);
      };
      flying = requestAnimationFrame(step);
    });
  }

  /** Flies to a taxon by its address. */
  async function flyTo(name, view = null) {
    const box = await boxes.find(name).catch(() => null);
    if (!box) {
      say(word('notFoundHere'));
      return false;
    }
    return fly(box, view);
  }

  function out() {
    const { place } = camera;
    let above = place.parent;
    while (above?.parent && above.boxes.length === 1) above = above.parent;
    if (above) fly(above);
  }

  /** The box that one sees at a point. */
  function boxAt({ x, y }) {
    let [box, left, top, w, h] = [camera.box, camera.x, camera.y, camera.w, camera.w / camera.box.aspect];
    while (drawing.opened.some((one) => one.box === box && one.alpha > 0.5)) {
      const inside = box.boxes.map(({ place }) => [left + place.x * w, top + place.y * h, place.width * w, place.height * h]);
      const index = inside.findIndex(([a, b, c, d]) => x >= a && x < a + c && y >= b && y < b + d);
      if (index < 0) break;
      box = box.boxes[index];
      [left, top, w, h] = inside[index];
    }
    return box;
  }

  function enter(box) {
    const isHere = box === camera.place;
    if (isHere && !box.isOpenable && box.name) location.assign(`/taxon/${box.name}`);
    else if (box.said) fly(box);
  }

  const hands = listen(canvas, camera, {
    moved: redraw,
    stop,
    hovered: (point) => {
      const box = point && boxAt(point);
      const next = box && box !== camera.box && box.said ? box : null;
      if (next === hovered) return;
      hovered = next;
      canvas.title = next ? `${titleOf(next)}${next.said.commonName ? `, ${next.said.scientificName}` : ''}` : '';
      redraw();
    },
    clicked: (point) => enter(boxAt(point)),
    entered: () => enter(boxAt({ x: camera.width / 2, y: camera.height / 2 })),
    left: out,
    home: () => fly(boxes.root),
  }, isCalm);

  // Where one is -----------------------------------------------------------------------------------

  const guided = guide(section, stage, {
    fly, out, home: () => fly(boxes.root), zoomBy: (factor) => hands.zoomBy(factor), zoomStep: hands.zoomStep,
  });
  let last = null;

  /** Writes where one is into the address, the title and the words around the picture. */
  function settle() {
    const { place } = camera;
    if (!place.said) return;
    const { taxon } = place;
    const view = camera.target && (camera.target === taxon || !camera.target.parent) ? '' : `#${at(camera.viewIn(taxon ?? boxes.root))}`;
    const language = boxes.language ? `?lang=${encodeURIComponent(boxes.language)}` : '';
    const address = `/icicle${taxon ? `/${taxon.name}` : ''}${language}${view}`;
    if (address !== location.pathname + location.search + location.hash) history.replaceState(null, '', address);
    guided.show(place, place !== last);
    last = place;
  }

  /** A view as an address has it. */
  const at = (view) => [view.x, view.y, view.width].map((value) => Number(value.toPrecision(6))).join(',');

  /** The view that an address has, or null. */
  function viewOfAddress() {
    const numbers = location.hash.slice(1).split(',').map(Number);
    if (numbers.length !== 3 || !numbers.every(Number.isFinite)) return null;
    const [x, y, width] = numbers;
    return width > 1e-7 && width < 1e7 && Math.abs(x) < 1e7 && Math.abs(y) < 1e7 ? { x, y, width } : null;
  }

  // Beginning --------------------------------------------------------------------------------------

  /** What a field of the page found: one flies there. */
  document.addEventListener('chosen', (event) => {
    if (event.target.form?.getAttribute('role') !== 'search') return;
    event.preventDefault();
    event.target.value = '';
    canvas.focus({ preventScroll: true });
    flyTo(event.detail.address);
  });

  new ResizeObserver(resize).observe(canvas);
  resize();
  for (const query of ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(prefers-contrast: more)']) {
    matchMedia(query).addEventListener('change', () => {
      drawing.readColours();
      redraw();
    });
  }

  async function begin() {
    const { at: here, from, to } = section.dataset;
    const view = viewOfAddress();
    try {
      const first = await boxes.find(from ?? to ?? here);
      camera.goTo(first, from ? null : view);
      redraw();
      if (!from) return;
      const end = await boxes.find(to);
      marked = [first, end];
      if (!isCalm()) await new Promise((done) => { setTimeout(done, 900); });
      if (turn === 0 || isCalm()) await fly(end);
    } catch {
      section.hidden = true;
      document.body.classList.remove('has-life');
      say(word('pictureNotLoaded'));
    }
  }

  section.life = {
    get figures() { return { ...drawing.figures, requests: boxes.requests, questions, isFlying: flying !== 0 }; },
    get place() { return camera.place.name; },
    get labels() { return drawing.labels.placed; },
    /** Where a box lies on the canvas: its middle and its size; null where that is not known. */
    seen(name) {
      const box = boxes.byName.get(name);
      const seen = box && camera.rectangleOf(box);
      return seen ? { x: seen.x + seen.w / 2, y: seen.y + seen.h / 2, width: seen.w, height: seen.h } : null;
    },
    clear() { Object.assign(drawing.figures, { frames: 0, worst: 0, total: 0 }); },
  };
  begin();
}
