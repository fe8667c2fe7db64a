// Moves the map of the journal in place: by its links, by keys and by the wheel. Each view has an address of its
// own, which the server answers; nothing is drawn here.

export function start(part) {
  let asking = null;
  let turned = 0;

  /** Shows the map of an address in the place of this one; where that fails, the page itself. */
  async function show(address, isNew = true) {
    asking?.abort();
    const mine = asking = new AbortController();
    part.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(address, { signal: mine.signal });
      if (!answer.ok) throw new Error(answer.statusText);
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const next = page.querySelector('#map-part');
      if (!next) throw new Error('no map');
      const key = document.activeElement?.dataset?.key;
      const isOpen = part.querySelector('details')?.open;
      part.replaceChildren(...next.childNodes);
      if (isOpen) part.querySelector('details').open = true;
      document.querySelector('main > .lead')?.replaceWith(page.querySelector('main > .lead'));
      if (isNew) history.pushState(null, '', address);
      // Who pressed a button may press it again.
      if (key) part.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
    } catch (error) {
      if (error.name !== 'AbortError') location.assign(address);
    } finally {
      if (mine === asking) part.removeAttribute('aria-busy');
    }
  }

  function isPlain(event) {
    return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  }

  part.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    const address = link?.getAttribute('href');
    if (!address?.startsWith('/journal/map') || !isPlain(event)) return;
    event.preventDefault();
    show(address);
  });

  function follow(key) {
    const link = part.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (!link) return false;
    show(link.getAttribute('href'));
    return true;
  }

  part.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (!event.target.closest('.map-frame')) return;
    if (follow(event.key === '=' ? '+' : event.key)) event.preventDefault();
  });

  part.addEventListener('wheel', (event) => {
    // Whoever only scrolls the page does so: the map moves where its picture was touched first, or with Control.
    if (!event.target.closest('.ground')) return;
    if (!event.ctrlKey && !part.contains(document.activeElement)) return;
    event.preventDefault();
    turned += event.deltaY;
    if (Math.abs(turned) < 60) return;
    follow(turned < 0 ? '+' : '-');
    turned = 0;
  }, { passive: false });

  addEventListener('popstate', () => show(location.pathname + location.search, false));
}
