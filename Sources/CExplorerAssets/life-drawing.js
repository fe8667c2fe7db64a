// Draws the picture of all life: boxes in the colours of their branches, which open as one comes close.

import { Labels } from './life-labels.js';

// A box opens where what is in it has so many square pixels each, and closes where it has fewer than these.
const [opening, closing] = [2600, 2100];
// What is in it is asked for a little earlier.
const asking = 1200;
// How narrow a box is at most that stays closed: any, and a species with a photograph, which would not be seen else.
const [narrow, narrowPhoto] = [40, 300];
// So long it takes to open, in milliseconds.
const openingTime = 180;
// What is smaller is one colour with what holds it.
const leastSide = 1.5;

export class Drawing {
  constructor(canvas, redraw, isCalm) {
    this.canvas = canvas;
    this.isCalm = isCalm;
    this.context = canvas.getContext('2d', { alpha: false });
    this.redraw = redraw;
    this.labels = new Labels(this.context, redraw);
    /** Where no letters are drawn: below buttons. */
    this.kept = [];
    this.figures = { frames: 0, worst: 0, total: 0, boxes: 0, labels: 0 };
    this.readColours();
  }

  /** Takes the colours that the style sheet has now. */
  readColours() {
    const probe = document.createElement('span');
    this.canvas.after(probe);
    const colour = (name) => {
      probe.style.color = `var(--${name})`;
      return (getComputedStyle(probe).color.match(/[\d.]+/g) ?? [0, 0, 0]).slice(0, 3).map(Number);
    };
    const names = ['paper', 'surface', 'sunken', 'ink', 'ink-soft', 'line', 'line-strong', 'accent', 'warm', 'warm-soft', 'focus'];
    this.colours = Object.fromEntries(names.map((name) => [name, colour(name)]));
    this.branches = [1, 2, 3, 4, 5, 6, 7, 8].map((number) => colour(`branch-${number}`));
    this.css = Object.fromEntries(names.map((name) => [name, css(this.colours[name])]));
    const style = getComputedStyle(this.canvas);
    const face = (name) => style.getPropertyValue(name).trim() || 'sans-serif';
    this.labels.take(this.css, face('--sans'), face('--serif'));
    probe.remove();
    this.version = (this.version ?? 0) + 1;
  }

  /** Draws what a camera sees; what should be asked for is in `wanted` then, the largest first. */
  draw(camera, hovered, marked) {
    const start = performance.now();
    this.elapsed = Math.min(60, start - (this.last ?? start));
    this.last = start;
    this.isChanging = false;
    const { context, canvas } = this;
    const dots = Math.min(devicePixelRatio || 1, 2);
    if (canvas.width !== Math.round(camera.width * dots) || canvas.height !== Math.round(camera.height * dots)) {
      canvas.width = Math.round(camera.width * dots);
      canvas.height = Math.round(camera.height * dots);
    }
    context.setTransform(dots, 0, 0, dots, 0, 0);
    this.camera = camera;
    this.closed = [];
    this.opened = [];
    this.wanted = [];
    this.count = 0;
    this.labels.begin(camera, this.kept);
    context.fillStyle = this.css.sunken;
    context.fillRect(0, 0, camera.width, camera.height);
    this.drawBox(camera.box, camera.x, camera.y, camera.w, camera.w / camera.box.aspect, 1);
    if (camera.place !== camera.box) this.outline(camera.rectangleOf(camera.place), this.css.accent, 2);
    for (const one of this.opened) this.labels.drawTitle(one);
    this.closed.sort((a, b) => b.w * b.h - a.w * a.h);
    for (const one of this.closed) this.labels.drawLabel(one);
    if (hovered) this.outline(camera.rectangleOf(hovered), this.css.focus, 2);
    for (const box of marked) this.drawPin(camera.rectangleOf(box));
    context.globalAlpha = 1;
    this.wanted.sort((a, b) => b.area - a.area);
    const took = performance.now() - start;
    const { figures } = this;
    figures.frames += 1;
    figures.total += took;
    figures.worst = Math.max(figures.worst, took);
    figures.boxes = this.count;
    figures.labels = this.labels.placed.length;
    if (this.isChanging) this.redraw();
  }

  // Boxes ------------------------------------------------------------------------------------------

  drawBox(box, x, y, w, h, alpha) {
    const { camera, context } = this;
    if (x >= camera.width || y >= camera.height || x + w <= 0 || y + h <= 0) return;
    if (w < leastSide || h < leastSide) return;
    this.count += 1;
    const openness = this.openness(box, w, h);
    const colour = this.colourOf(box);
    const gap = Math.min(3, Math.sqrt(Math.min(w, h)) * 0.16);
    const [left, top] = [Math.max(x + gap / 2, -20), Math.max(y + gap / 2, -20)];
    const [right, bottom] = [Math.min(x + w - gap / 2, camera.width + 20), Math.min(y + h - gap / 2, camera.height + 20)];
    context.globalAlpha = alpha;
    context.fillStyle = openness > 0 ? css(mixed(colour, this.colours.sunken, openness * 0.75)) : css(colour);
    const radius = Math.min(9, Math.min(right - left, bottom - top) * 0.09);
    if (radius < 1.5) {
      context.fillRect(left, top, right - left, bottom - top);
    } else {
      context.beginPath();
      context.roundRect(left, top, right - left, bottom - top, radius);
      context.fill();
    }
    if (openness < 1) this.closed.push({ box, x, y, w, h, alpha: alpha * (1 - openness) });
    if (openness <= 0) return;
    this.opened.push({ box, x, y, w, h, alpha: alpha * openness });
    for (const inside of box.boxes) {
      const { place } = inside;
      this.drawBox(inside, x + place.x * w, y + place.y * h, place.width * w, place.height * h, alpha * openness);
    }
  }

  /** How far a box is opened, from 0 to 1; what it needs for that is noted. */
  openness(box, w, h) {
    const count = box.boxes?.length === 1 ? 0.8 : Math.min(box.boxes?.length ?? 8, 16) + 1;
    // A group is there for those in it.
    const area = w * h / count * (box.said?.memberCount ? 3 : 1);
    if (!box.isOpened && (box.isOpenable || !box.said) && area > asking) this.wanted.push({ box, area: w * h });
    const isKnown = box.boxes && (box.isOpened || box.boxes.some((one) => one.said));
    const closed = box.said?.hasPicture && box.said.rank === 'species' ? narrowPhoto : narrow;
    const opens = isKnown && Math.min(w, h) > closed && area > (box.opening > 0 ? closing : opening) ? 1 : 0;
    const { frames } = this.figures;
    if (this.isCalm() || box.seenIn !== frames - 1) box.opening = opens;
    box.seenIn = frames;
    if (box.opening !== opens) {
      const step = this.elapsed / openingTime;
      box.opening = opens ? Math.min(1, box.opening + step) : Math.max(0, box.opening - step);
      this.isChanging = true;
    }
    return box.opening;
  }

  colourOf(box) {
    if (box.painted?.version === this.version && box.painted.said === box.said) return box.painted.colour;
    const above = box.parent ? this.colourOf(box.parent) : this.colours.surface;
    let colour = above;
    const isAlone = box.parent?.boxes.length === 1 && box.parent.parent;
    if (box.said?.branch && !isAlone) {
      const place = box.parent?.boxes.indexOf(box) ?? 0;
      const beside = place > 0 ? box.parent.boxes[place - 1].said?.branch : 0;
      const branch = box.said.branch === beside ? box.said.branch % 8 : box.said.branch - 1;
      colour = mixed(this.branches[branch], above, 0.18);
    } else if (box.said?.memberCount) {
      colour = mixed(above, this.colours.sunken, 0.5);
    }
    box.painted = { version: this.version, said: box.said, colour };
    return colour;
  }

  outline(seen, colour, width) {
    const { context } = this;
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.roundRect(seen.x + width, seen.y + width, Math.max(0, seen.w - 2 * width), Math.max(0, seen.h - 2 * width), 6);
    context.stroke();
  }

  /** Marks where a flight begins or ends, while that is small. */
  drawPin(seen) {
    if (Math.min(seen.w, seen.h) > 80) return;
    const { context } = this;
    context.globalAlpha = 1;
    context.beginPath();
    context.arc(seen.x + seen.w / 2, seen.y + seen.h / 2, 7, 0, 7);
    context.fillStyle = this.css.warm;
    context.strokeStyle = this.css.surface;
    context.lineWidth = 3;
    context.fill();
    context.stroke();
  }
}

const css = ([red, green, blue]) => `rgb(${red | 0} ${green | 0} ${blue | 0})`;

const mixed = (a, b, part) => a.map((value, index) => value + (b[index] - value) * part);
