// What hands do to the picture of all life: wheel, pinch, drag, touch and keys, as on a map.

const panStep = 80;
const zoomStep = 1.6;
// A press that moves less is a click.
const clickDistance = 5;
// What is left of a swing after each frame.
const friction = 0.92;

/** Listens to a canvas; `does` says what follows. */
export function listen(canvas, camera, does, isCalm) {
  const pointers = new Map();
  let moved = 0;
  let swing = { x: 0, y: 0, zoom: 0, at: null };
  let swinging = 0;

  const point = (event) => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top, time: event.timeStamp };
  };

  function stop() {
    cancelAnimationFrame(swinging);
    swinging = 0;
    swing = { x: 0, y: 0, zoom: 0, at: null };
  }

  /** Goes on by itself for a moment, and slower and slower. */
  function swingOn() {
    swinging = 0;
    if (Math.abs(swing.zoom) > 0.002) {
      const part = swing.zoom * 0.3;
      swing.zoom -= part;
      camera.zoom(Math.exp(part), swing.at.x, swing.at.y);
    } else {
      swing.zoom = 0;
    }
    if (Math.hypot(swing.x, swing.y) > 0.3) {
      camera.pan(swing.x, swing.y);
      swing.x *= friction;
      swing.y *= friction;
    } else {
      [swing.x, swing.y] = [0, 0];
    }
    does.moved();
    if (swing.zoom || swing.x || swing.y) swinging = requestAnimationFrame(swingOn);
  }

  function zoomBy(factor, at = { x: camera.width / 2, y: camera.height / 2 }) {
    does.stop();
    if (isCalm()) {
      camera.zoom(factor, at.x, at.y);
      does.moved();
      return;
    }
    swing.zoom += Math.log(factor);
    swing.at = at;
    if (!swinging) swinging = requestAnimationFrame(swingOn);
  }

  canvas.addEventListener('wheel', (event) => {
    const isOut = event.deltaY > 0;
    // Where all is in view already, the page scrolls on.
    if (isOut && !event.ctrlKey && camera.isWhole) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 33 : event.deltaMode === 2 ? 400 : 1;
    const step = Math.max(-240, Math.min(240, event.deltaY * lines)) * (event.ctrlKey ? 0.01 : 0.0025);
    zoomBy(Math.exp(-step), point(event));
  }, { passive: false });

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button > 0) return;
    does.stop();
    stop();
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    if (pointers.size === 1) moved = 0;
  });

  canvas.addEventListener('pointermove', (event) => {
    const now = point(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse') does.hovered(now);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, one]) => one);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    pointers.set(event.pointerId, now);
    if (moved < clickDistance) return;
    if (others.length === 0) {
      camera.pan(now.x - before.x, now.y - before.y);
      const time = Math.max(8, now.time - before.time) / 16;
      swing.x = (now.x - before.x) / time;
      swing.y = (now.y - before.y) / time;
      swing.time = now.time;
    } else {
      const [other] = others;
      const spread = (one) => Math.max(20, Math.hypot(one.x - other.x, one.y - other.y));
      camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      camera.zoom(spread(now) / spread(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    does.moved();
  });

  const end = (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0) return;
    if (moved < clickDistance) {
      stop();
      if (event.type === 'pointerup') does.clicked(point(event));
    } else if (!isCalm() && event.timeStamp - (swing.time ?? 0) < 60) {
      swinging = requestAnimationFrame(swingOn);
    } else {
      stop();
    }
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
  canvas.addEventListener('pointerleave', () => does.hovered(null));

  canvas.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pans = {
      ArrowLeft: [panStep, 0], ArrowRight: [-panStep, 0], ArrowUp: [0, panStep], ArrowDown: [0, -panStep],
    };
    const acts = {
      '+': () => zoomBy(zoomStep), '=': () => zoomBy(zoomStep), '-': () => zoomBy(1 / zoomStep), _: () => zoomBy(1 / zoomStep),
      PageUp: () => zoomBy(zoomStep ** 3), PageDown: () => zoomBy(zoomStep ** -3),
      Enter: does.entered, Backspace: does.left, Escape: does.left, Home: does.home,
    };
    if (pans[event.key]) {
      does.stop();
      camera.pan(...pans[event.key]);
      does.moved();
    } else if (acts[event.key]) {
      acts[event.key]();
    } else {
      return;
    }
    event.preventDefault();
  });

  return { zoomBy, stop, zoomStep };
}
