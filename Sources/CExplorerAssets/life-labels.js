// The names in the picture of all life, drawings and the Red List beside them, as much as fits: no letters
// overlap others, and none are cut.

import { capitalised, dangers } from './names.js';
import { word } from './words.js';

// How wide a drawing and a photograph are at least, and how many of these are kept.
const leastDrawing = 40;
const leastPhoto = 72;
const mostPhotos = 80;
const leastLetters = 12;
const mostLetters = 30;
// A title says nothing beside that of a box that has so much of it, or where it has so much of the view.
const [mostOfTitle, mostOfView] = [0.6, 0.7];

export class Labels {
  constructor(context, redraw) {
    this.context = context;
    this.redraw = redraw;
    this.images = new Map();
    this.photos = new Map();
    this.widths = new Map();
    this.placed = [];
  }

  /** Takes colours and faces of letters. */
  take(css, sans, serif) {
    Object.assign(this, { css, sans, serif });
    this.widths.clear();
  }

  /** Begins a picture; where something lies already, no letters come. */
  begin(camera, kept) {
    this.camera = camera;
    this.placed = [...kept];
  }

  /** The name of a box that is open, in a corner of what is seen of it. */
  drawTitle({ box, x, y, w, h, alpha }) {
    const { camera, context } = this;
    if (alpha < 0.6 || !box.said?.scientificName || box.boxes.length < 2) return;
    const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
    const [right, bottom] = [Math.min(x + w, camera.width), Math.min(y + h, camera.height)];
    // The way above the picture names what is nearly all of it.
    if ((right - left) * (bottom - top) > mostOfView * camera.width * camera.height) return;
    const most = Math.max(...box.boxes.map((one) => (one.opening > 0.5 ? one.size : 0)));
    if (most > mostOfTitle * box.boxes.reduce((sum, one) => sum + one.size, 0)) return;
    const text = titleOf(box);
    const size = right - left > 420 ? 15 : 13;
    const font = `600 ${size}px ${this.sans}`;
    const width = this.measured(text, `600 {}px ${this.sans}`).width * size + 18;
    const height = size + 11;
    if (width > (right - left) * 0.7 || bottom - top < 80 || w * h < 24_000) return;
    for (let row = 0; row < 2; row += 1) {
      const area = { x: left + 7, y: top + 7 + row * (height + 3), width, height };
      if (area.y + height > bottom - 30) return;
      if (!this.reserve(area)) continue;
      context.globalAlpha = Math.min(1, (alpha - 0.6) * 2.5) * 0.93;
      context.fillStyle = this.css.surface;
      context.beginPath();
      context.roundRect(area.x, area.y, width, height, height / 2);
      context.fill();
      context.globalAlpha = Math.min(1, (alpha - 0.6) * 2.5);
      context.fillStyle = this.css.ink;
      context.font = font;
      context.textAlign = 'left';
      context.textBaseline = 'middle';
      context.fillText(text, area.x + 9, area.y + height / 2 + 0.5);
      return;
    }
  }

  /** Drawing, names and numbers of a box that is closed, as much as fits. */
  drawLabel({ box, x, y, w, h, alpha }) {
    if (!box.said || !box.parent || w < 30 || h < 16 || alpha < 0.05) return;
    const { context, camera } = this;
    // Letters stand in what is seen of it, and are never cut.
    const [left, top] = [Math.max(x, 0), Math.max(y, 0)];
    const area = { x: left, y: top, width: Math.min(x + w, camera.width) - left, height: Math.min(y + h, camera.height) - top };
    if (area.width < 30 || area.height < 16) return;
    // Below titles that lie on it.
    for (const other of this.placed) {
      const isOver = other.x < area.x + area.width && area.x < other.x + other.width
        && other.y < area.y + area.height * 0.5 && area.y < other.y + other.height;
      if (!isOver) continue;
      const below = other.y + other.height + 2;
      area.height -= below - area.y;
      area.y = below;
    }
    if (area.height < 16) return;
    const pad = Math.min(8, area.width * 0.06);
    const room = area.width - 2 * pad;
    const side = Math.min(area.width * 0.6, area.height * 0.42, 260);
    let hasImage = side >= leastDrawing && Boolean(box.said.drawing || (box.said.hasPicture && side >= leastPhoto));
    const extent = Math.min(area.width, area.height * 1.6);
    let lines = hasImage ? this.lines(box, room, area.height - 2 * pad - side - 6, extent) : [];
    if (lines.length === 0) {
      hasImage = false;
      lines = this.lines(box, room, area.height - 2 * pad, extent);
    }
    if (lines.length === 0) {
      this.drawUpright(box, area, alpha);
      return;
    }
    const height = lines.reduce((sum, line) => sum + line.height, 0) + (hasImage ? side + 6 : 0);
    const width = Math.max(...lines.map((line) => line.width), hasImage ? side : 0);
    const taken = { x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2, width, height };
    if (!this.reserve(taken)) return;
    context.globalAlpha = alpha;
    let baseline = taken.y;
    const middle = area.x + area.width / 2;
    if (hasImage) {
      const photo = side >= leastPhoto ? this.photo(box) : null;
      const image = photo ?? this.image(box);
      if (image) {
        context.save();
        context.beginPath();
        context.roundRect(middle - side / 2, baseline, side, side, side * 0.16);
        context.clip();
        if (photo) {
          // The middle of it, as much as a square has.
          const { naturalWidth: wide, naturalHeight: high } = photo;
          const edge = Math.min(wide, high);
          context.drawImage(photo, (wide - edge) / 2, (high - edge) / 2, edge, edge, middle - side / 2, baseline, side, side);
        } else {
          context.drawImage(image, middle - side / 2, baseline, side, side);
        }
        context.restore();
      }
      baseline += side + 6;
    }
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    for (const line of lines) {
      const y0 = baseline + line.height / 2;
      if (line.kind) this.badge(line, middle, y0);
      context.font = line.font;
      context.fillStyle = line.kind ? this.badgeInk(line.kind) : line.isSoft ? this.css['ink-soft'] : this.css.ink;
      context.fillText(line.text, middle, y0 + 0.5);
      baseline += line.height;
    }
  }

  /** The name of a box that is high and narrow, from below to above. */
  drawUpright(box, area, alpha) {
    const room = area.height - 12;
    if (area.width < 18 || room < area.width) return;
    const { scientificName } = box.said;
    for (const [text, face] of [[titleOf(box), this.faceOf(box)], [scientificName, `italic {}px ${this.serif}`]]) {
      if (!text) continue;
      const { width } = this.measured(text, face);
      const size = Math.floor(Math.min(area.width * 0.42, 22, room / width) * 2) / 2;
      if (size < leastLetters) continue;
      const length = width * size;
      const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
      if (!this.reserve({ x: middle.x - size * 0.65, y: middle.y - length / 2, width: size * 1.3, height: length })) return;
      const { context } = this;
      context.save();
      context.translate(middle.x, middle.y);
      context.rotate(-Math.PI / 2);
      context.globalAlpha = alpha;
      context.font = face.replace('{}', size);
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      context.fillStyle = this.css.ink;
      context.fillText(text, 0, 0);
      context.restore();
      return;
    }
  }

  faceOf(box) {
    if (box.said.memberCount) return `{}px ${this.sans}`;
    return box.said.commonName ? `600 {}px ${this.sans}` : `italic {}px ${this.serif}`;
  }

  /** The lines of a label that fit; of a taxon without room for its common name those of the scientific one. */
  lines(box, room, free, extent) {
    const lines = this.linesOf(box, titleOf(box), this.faceOf(box), room, free, extent);
    if (lines.length > 0 || !box.said.commonName) return lines;
    return this.linesOf(box, box.said.scientificName, `italic {}px ${this.serif}`, room, free, extent);
  }

  /** The lines of a label that fit; the name first, in larger letters the larger the box is. */
  linesOf(box, text, face, room, free, extent) {
    const isCommon = text !== box.said.scientificName && !box.said.memberCount;
    const words = this.measured(text, face);
    const largest = Math.min(mostLetters, extent / 8, room / words.widest);
    // Half pixels, so that few fonts are made.
    let size = Math.max(leastLetters, Math.floor(largest * 2) / 2);
    let rows = [];
    for (;;) {
      if (room / words.widest < size) return [];
      rows = wrapped(words, room / size);
      if (rows.length <= 3 && rows.length * size * 1.25 <= free) break;
      if (size === leastLetters) return [];
      size = Math.max(leastLetters, Math.floor(size * 1.8) / 2);
    }
    const line = (words_, pattern, letters, more) => ({
      text: words_, font: pattern.replace('{}', letters), width: this.measured(words_, pattern).width * letters,
      height: letters * 1.25, ...more,
    });
    const made = rows.map((row) => line(row, face, size));
    let left = free - made.length * size * 1.25;
    const add = (one) => {
      if (one.width > room || one.height > left) return;
      made.push(one);
      left -= one.height;
    };
    const small = Math.max(leastLetters, Math.min(Math.round(size * 1.44) / 2, 18));
    if (isCommon) add(line(box.said.scientificName, `italic {}px ${this.serif}`, small, { isSoft: true }));
    const { speciesCount, rank, conservationStatus } = box.said;
    if (speciesCount > 0 && rank !== 'species') {
      add(line(word('speciesCount', { count: speciesCount }), `{}px ${this.sans}`, Math.max(leastLetters, Math.round(small * 1.8) / 2), { isSoft: true }));
    }
    if (conservationStatus) {
      const [status, kind] = dangers(conservationStatus);
      const letters = Math.max(leastLetters, Math.round(small * 1.7) / 2);
      const long = line(`${conservationStatus} ${status}`, `600 {}px ${this.sans}`, letters, { kind });
      const short = line(conservationStatus, `700 {}px ${this.sans}`, letters, { kind });
      for (const one of [long, short]) {
        one.inner = one.width;
        one.width += letters * 1.3;
        one.height = letters * 1.25 + 11;
      }
      if (long.width <= room && long.height <= left) add(long); else add(short);
    }
    return made;
  }

  /** A Red List status: an edge for each kind, as badges of pages have it. */
  badge(line, middle, y) {
    const { context } = this;
    const [width, height] = [line.width, line.height - 6];
    context.beginPath();
    context.roundRect(middle - width / 2, y - height / 2, width, height, height / 2);
    context.fillStyle = line.kind === 'threatened' ? this.css['warm-soft'] : this.css.surface;
    context.fill();
    context.strokeStyle = this.badgeInk(line.kind);
    context.lineWidth = { safe: 1, near: 1.5, threatened: 2.5, gone: 3, unknown: 1 }[line.kind];
    context.setLineDash({ near: [5, 3], unknown: [2, 2] }[line.kind] ?? []);
    context.stroke();
    context.setLineDash([]);
  }

  badgeInk(kind) {
    return { safe: this.css.accent, near: this.css.warm, threatened: this.css.warm, gone: this.css.ink, unknown: this.css['ink-soft'] }[kind];
  }

  /** How wide a text and its words are in letters of one pixel; measured once. */
  measured(text, face) {
    let faces = this.widths.get(face);
    if (!faces) this.widths.set(face, faces = new Map());
    let known = faces.get(text);
    if (!known) {
      if (faces.size > 20_000) faces.clear();
      this.context.font = face.replace('{}', '32');
      const width = (one) => this.context.measureText(one).width / 32;
      const words = text.split(/ |(?<=-)/);
      const widths = words.map(width);
      known = { words, widths, widest: Math.max(...widths), space: width(' '), width: width(text) };
      faces.set(text, known);
    }
    return known;
  }

  /** Takes a place for letters; whether it was free. */
  reserve(area) {
    const isTaken = this.placed.some((other) => area.x < other.x + other.width && other.x < area.x + area.width
      && area.y < other.y + other.height && other.y < area.y + area.height);
    if (!isTaken) this.placed.push(area);
    return !isTaken;
  }

  /** The photograph of a box, or null where it has none or that is not here yet. Those seen last are kept. */
  photo(box) {
    if (!box.said.hasPicture) return null;
    let image = this.photos.get(box.name);
    if (image) {
      this.photos.delete(box.name);
    } else {
      image = new Image();
      image.addEventListener('load', this.redraw);
      image.src = `/taxon/${box.name}/thumbnail?size=large`;
    }
    this.photos.set(box.name, image);
    if (this.photos.size > mostPhotos) this.photos.delete(this.photos.keys().next().value);
    return image.complete && image.naturalWidth > 0 ? image : null;
  }

  /** The drawing of a box, or null until it is here; each drawing is fetched once. */
  image(box) {
    const key = box.said.drawing;
    if (!key) return null;
    let image = this.images.get(key);
    if (!image) {
      image = new Image();
      image.addEventListener('load', this.redraw);
      image.src = `/taxon/${box.name}/drawing.svg`;
      this.images.set(key, image);
    }
    return image.complete && image.naturalWidth > 0 ? image : null;
  }
}

/** What a box is called. */
export function titleOf(box) {
  const { said } = box;
  if (!said || said.box === 'all') return word('allLife');
  if (said.memberCount) return word('plusMore', { number: said.memberCount });
  return said.commonName ? capitalised(said.commonName) : said.scientificName;
}

/** Words in as few rows as have room, a space between them but behind a hyphen. */
function wrapped({ words, widths, space }, room) {
  const rows = [];
  let width = Infinity;
  words.forEach((word, index) => {
    const isJoined = rows.at(-1)?.endsWith('-');
    const longer = width + (isJoined ? 0 : space) + widths[index];
    if (longer <= room) {
      rows[rows.length - 1] += (isJoined ? '' : ' ') + word;
      width = longer;
    } else {
      rows.push(word);
      width = widths[index];
    }
  });
  return rows;
}
