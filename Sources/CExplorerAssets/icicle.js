// Zooms: a part of the picture that is touched grows into the next picture without a new page. The
// server draws every picture, and only what the view can show; this module fetches and blends.

import { say } from './say.js';

const main = document.getElementById('main');

/** Whether a link leads to another picture of this kind. */
const isPicture = (link) => /^\/icicle(\/[^/.]+)?$/.test(link.pathname);

export function start() {
  main.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
    if (!link || !isPlain || !isPicture(new URL(link.href.baseVal ?? link.href, location))) return;
    event.preventDefault();
    zoom(link.href.baseVal ?? link.href, true);
  });
  addEventListener('popstate', () => zoom(location.href, false));
}

let latest = 0;

/** Shows the picture at an address; where that fails, the browser goes there by itself. */
async function zoom(href, isNew) {
  const turn = latest += 1;
  main.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(href);
    if (!answer.ok) throw new Error(answer.statusText);
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    if (turn !== latest) return;
    if (isNew) history.pushState(null, '', href);
    await blend(() => {
      main.replaceChildren(...page.getElementById('main').childNodes);
      document.title = page.title;
      scrollTo(0, 0);
    });
    main.focus({ preventScroll: true });
    say(document.title);
  } catch {
    location.assign(href);
  } finally {
    main.removeAttribute('aria-busy');
  }
}

/** Changes the page, softly for whoever likes that and has a browser that can. */
async function blend(change) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (isCalm || !document.startViewTransition) return change();
  await document.startViewTransition(change).updateCallbackDone;
}
