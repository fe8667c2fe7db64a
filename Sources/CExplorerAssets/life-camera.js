// Where one is in the picture of all life: a box, and where it lies on the screen. The box is always the
// deepest one that fills the view, so that numbers stay small however deep one is.

/** So much of the view a box has that one has come to. */
const share = 0.94;
/** So much of the view a box has that one looks at it. */
const mostOfView = 0.3;
/** What is at the end of the tree grows no larger than so many views. */
const mostViews = 1.25;

export class Camera {
  constructor(root) {
    this.root = root;
    this.box = root;
    this.width = 1;
    this.height = 1;
    // Where the box lies on the screen; how high it is follows from its shape.
    this.x = 0;
    this.y = 0;
    this.w = 1;
    /** The box that one has come to, until one moves. */
    this.target = root;
  }

  /** Whether all life is in view. */
  get isWhole() {
    return at(this.root, this).w <= Math.max(this.width, this.height * this.root.aspect) * 1.0001;
  }

  /** Where a box lies on the screen. */
  rectangleOf(box) {
    const { x, y, w } = at(box, this);
    return { x, y, w, h: w / box.aspect };
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  /** Moves the picture by so many pixels. */
  pan(x, y) {
    this.target = null;
    this.x += x;
    this.y += y;
    this.settle();
  }

  /** Enlarges the picture about a point. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    this.target = null;
    this.x = x - (x - this.x) * factor;
    this.y = y - (y - this.y) * factor;
    this.w *= factor;
    this.settle();
  }

  /** Goes to a box at once; part of the view where it says `at`: its middle, and how wide it is, in widths of the box. */
  goTo(box, at = null) {
    Object.assign(this, this.placeOf(box, at));
    this.settle();
    this.target = at ? null : box;
  }

  /** Where a box lies on the screen when one has come to it. */
  placeOf(box, at = null) {
    if (at) {
      const w = this.width / at.width;
      return { box, w, x: this.width / 2 - at.x * w, y: this.height / 2 - at.y * w };
    }
    const part = box.parent ? share : 1;
    const w = Math.min(this.width, this.height * box.aspect) * part;
    return { box, w, x: (this.width - w) / 2, y: (this.height - w / box.aspect) / 2 };
  }

  /** The middle and the width of the view, in widths of a box. */
  viewIn(box, from = this) {
    const { x, y, w } = at(box, from);
    return { x: (this.width / 2 - x) / w, y: (this.height / 2 - y) / w, width: this.width / w };
  }

  /** Keeps the whole in view, and stands in the deepest box that fills the view. */
  settle() {
    while (this.box.parent && !this.fills()) Object.assign(this, at(this.box.parent, this));
    if (!this.box.parent) this.clamp();
    for (let next = this.filling(); next; next = this.filling()) Object.assign(this, next);
    if (this.box.boxes === null && !this.box.isOpenable && this.box.said) {
      const most = mostViews * Math.max(this.width, this.height * this.box.aspect);
      if (this.w > most) {
        const factor = most / this.w;
        this.x = this.width / 2 - (this.width / 2 - this.x) * factor;
        this.y = this.height / 2 - (this.height / 2 - this.y) * factor;
        this.w = most;
      }
    }
  }

  clamp() {
    const least = Math.max(this.width, this.height * this.box.aspect);
    if (this.w < least) {
      const factor = least / this.w;
      this.x = this.width / 2 - (this.width / 2 - this.x) * factor;
      this.y = this.height / 2 - (this.height / 2 - this.y) * factor;
      this.w = least;
    }
    this.x = Math.min(0, Math.max(this.width - this.w, this.x));
    this.y = Math.min(0, Math.max(this.height - this.w / this.box.aspect, this.y));
  }

  fills({ x, y, w, box } = this) {
    const slack = 1e-6;
    return x <= slack && y <= slack && x + w >= this.width - slack && y + w / box.aspect >= this.height - slack;
  }

  /** The box in the one at hand that fills the view. */
  filling() {
    for (const box of this.box.boxes ?? []) {
      const inside = within(box, this);
      if (this.fills(inside)) return inside;
    }
    return null;
  }

  /** What one looks at: the deepest box that has the middle of the view and much of it. */
  get place() {
    if (this.target) return this.target;
    if (this.isWhole) return this.root;
    let here = { box: this.box, x: this.x, y: this.y, w: this.w };
    for (;;) {
      const next = (here.box.boxes ?? []).map((box) => within(box, here)).find((inside) => {
        const h = inside.w / inside.box.aspect;
        const isMiddle = inside.x <= this.width / 2 && inside.x + inside.w > this.width / 2
          && inside.y <= this.height / 2 && inside.y + h > this.height / 2;
        return isMiddle && inside.box.said && seen(inside.x, inside.w, this.width) * seen(inside.y, h, this.height) >= mostOfView;
      });
      if (!next) return here.box;
      here = next;
    }
  }

  /** The flight to a box: where one is at a part of it from 0 to 1, and how long it is. */
  flight(box, view = null) {
    const end = this.placeOf(box, view);
    const others = new Set(this.box.way);
    const meeting = box.way.findLast((one) => others.has(one));
    const path = flown(this.viewIn(meeting), this.viewIn(meeting, end));
    return {
      length: path.length,
      show: (part) => {
        const { x, y, width } = path.at(part);
        const w = this.width / width;
        Object.assign(this, { box: meeting, w, x: this.width / 2 - x * w, y: this.height / 2 - y * w });
        this.settle();
        this.target = null;
      },
      end: () => this.goTo(box, view),
    };
  }
}

/** How much of the view a side has. */
const seen = (start, length, view) => (Math.min(view, start + length) - Math.max(0, start)) / view;

/** Where a box in the one at hand lies. */
function within(box, from) {
  const { place } = box;
  const h = from.w / from.box.aspect;
  return { box, x: from.x + place.x * from.w, y: from.y + place.y * h, w: place.width * from.w };
}

/** Where another box lies: up to what holds both, and down. */
function at(box, from) {
  const way = box.way;
  let here = from;
  while (!way.includes(here.box)) {
    const { box: inner, x, y, w } = here;
    const wide = w / inner.place.width;
    const { parent } = inner;
    here = { box: parent, x: x - inner.place.x * wide, y: y - inner.place.y * wide / parent.aspect, w: wide };
  }
  for (const inner of way.slice(way.indexOf(here.box) + 1)) here = within(inner, here);
  const { x, y, w } = here;
  return { box, x, y, w };
}

/**
 * The way between two views that seems shortest and smooth: van Wijk and Nuij, Smooth and Efficient
 * Zooming and Panning, 2003.
 */
function flown(from, to) {
  const rho = 1.3;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const distance = Math.hypot(dx, dy);
  const ratio = Math.log(to.width / from.width);
  if (distance < 1e-9 * from.width || distance * distance < 1e-12 * from.width * to.width) {
    return {
      length: Math.abs(ratio) / rho,
      at: (part) => ({ x: from.x + dx * part, y: from.y + dy * part, width: from.width * Math.exp(ratio * part) }),
    };
  }
  const scaled = rho * rho * distance;
  const turn = (width, sign) => {
    const b = (to.width ** 2 - from.width ** 2 + sign * scaled * scaled) / (2 * width * scaled);
    return -Math.asinh(b);
  };
  const [start, end] = [turn(from.width, 1), turn(to.width, -1)];
  const length = (end - start) / rho;
  return {
    length: Math.abs(length),
    at: (part) => {
      const s = start + rho * length * part;
      const u = from.width / (rho * rho) * (Math.cosh(start) * Math.tanh(s) - Math.sinh(start));
      return {
        x: from.x + dx * u / distance, y: from.y + dy * u / distance,
        width: from.width * Math.cosh(start) / Math.cosh(s),
      };
    },
  };
}
