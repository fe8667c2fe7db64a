// The boxes of the picture of all life: what is known of them, and where each lies in the one that holds
// it. What the server sends is asked for as one comes close, and kept.

/** A box: a taxon, or a group of the smaller children of one. */
class Box {
  constructor(parent, size) {
    this.parent = parent;
    this.size = size;
    // Its place in its parent, which is 1 by 1, and how many times as wide as high it is.
    this.place = { x: 0, y: 0, width: 1, height: 1 };
    this.aspect = 1;
    /** What is in it, or null where that is not known yet. */
    this.boxes = null;
    /** Whether what is in it is known by name. */
    this.isOpened = false;
    /** What the server says of it, or null for a box of which only the size is known. */
    this.said = null;
    // How it was drawn last: its colour, how far it was open, and in which frame that was.
    this.painted = null;
    this.opening = 0;
    this.seenIn = -1;
  }

  get name() { return this.said?.box ?? null; }

  get isOpenable() { return this.said?.isOpenable === true; }

  /** The box and those that hold it, the outermost first. */
  get way() { return this.parent ? [...this.parent.way, this] : [this]; }

  get depth() { return this.parent ? this.parent.depth + 1 : 0; }

  /** The nearest taxon, itself or above; null for all life. */
  get taxon() {
    if (this.said?.scientificName) return this;
    return this.parent?.taxon ?? null;
  }
}

/** All boxes that are known. */
export class Boxes {
  constructor(language) {
    this.root = new Box(null, 1);
    this.root.said = { box: 'all', isOpenable: true, speciesCount: 0 };
    this.byName = new Map([['all', this.root]]);
    this.language = language;
    this.asked = new Set();
    this.requests = [];
  }

  /** Gives the whole another shape; everything is laid out again. */
  shape(aspect) {
    this.root.aspect = aspect;
    lay(this.root);
  }

  /** Asks for the way to a taxon and what is in it; the box, or null where the way is not known as a whole. */
  async find(name) {
    this.asked.add(name);
    const answer = await this.ask(name === 'all' ? [['at', name]] : [['to', name], ['at', name]])
      .finally(() => this.asked.delete(name));
    let box = this.root;
    for (const step of answer.path) {
      if (!box.boxes) this.fill(box, step.sizes);
      box = box.boxes[step.index];
      this.name(box, step);
    }
    this.take(answer);
    return box;
  }

  /** Asks for what is in some boxes; whether something came. */
  async open(boxes) {
    const names = boxes.map((box) => box.name);
    for (const name of names) this.asked.add(name);
    try {
      this.take(await this.ask(names.map((name) => ['at', name])));
      return true;
    } catch {
      return false;
    } finally {
      for (const name of names) this.asked.delete(name);
    }
  }

  async ask(fields) {
    const query = new URLSearchParams(this.language ? [...fields, ['lang', this.language]] : fields);
    const before = performance.now();
    const answer = await fetch(`/api/tree?${query}`);
    if (!answer.ok) throw new Error(answer.statusText);
    const text = await answer.text();
    this.requests.push({ milliseconds: performance.now() - before, letters: text.length });
    return JSON.parse(text);
  }

  take({ opened }) {
    for (const said of opened) {
      const box = this.byName.get(said.box);
      if (box) this.takeBox(box, said);
    }
  }

  takeBox(box, said) {
    this.name(box, said);
    const inside = said.boxes;
    if (!inside) return;
    if (!box.boxes) this.fill(box, inside.map((one) => one.size));
    inside.forEach((one, index) => this.takeBox(box.boxes[index], one));
    box.isOpened = true;
  }

  name(box, said) {
    const { boxes, sizes, index, ...fields } = said;
    box.said = fields;
    this.byName.set(said.box, box);
  }

  /** Makes the boxes in a box, of which only the sizes are known. */
  fill(box, sizes) {
    box.boxes = sizes.map((size) => new Box(box, size));
    lay(box);
  }
}

/** Gives what is in a box its place, and so on below. */
function lay(box) {
  if (!box.boxes) return;
  const places = divided(box.boxes.map((one) => one.size), box.aspect);
  box.boxes.forEach((one, index) => {
    one.place = places[index];
    one.aspect = box.aspect * one.place.width / one.place.height;
    lay(one);
  });
}

/**
 * Divides a rectangle of 1 by 1 that is `aspect` times as wide as high, so that each part has exactly its
 * share and is nearly square: Bruls, Huizing and van Wijk, Squarified Treemaps, 2000.
 */
export function divided(sizes, aspect) {
  const order = sizes.map((_, index) => index).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const places = new Array(sizes.length);
  // What is left, in units in which the height is 1.
  let [x, y, width, height] = [0, 0, aspect, 1];
  let next = 0;
  while (next < order.length) {
    const side = Math.min(width, height);
    let [sum, end, worst] = [0, next, Infinity];
    while (end < order.length) {
      const added = sum + sizes[order[end]] / total * aspect;
      const largest = sizes[order[next]] / total * aspect;
      const smallest = sizes[order[end]] / total * aspect;
      const thickness = added / side;
      const ratio = Math.max(thickness * thickness / smallest, largest / (thickness * thickness));
      if (ratio > worst) break;
      [sum, worst, end] = [added, ratio, end + 1];
    }
    const isLast = end === order.length;
    const isTall = width >= height;
    const thickness = isLast ? Math.max(width, height) : sum / side;
    let along = 0;
    for (let position = next; position < end; position += 1) {
      const length = sizes[order[position]] / total * aspect / sum * side;
      places[order[position]] = isTall
        ? { x: x / aspect, y: y + along, width: thickness / aspect, height: length }
        : { x: (x + along) / aspect, y, width: length / aspect, height: thickness };
      along += length;
    }
    if (isTall) {
      x += thickness;
      width -= thickness;
    } else {
      y += thickness;
      height -= thickness;
    }
    next = end;
  }
  return places;
}
