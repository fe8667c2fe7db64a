// Brings a page to life: everything on it works without scripts, and each part that can do more
// loads the module for it.

const parts = [
  ['input[data-complete]', './complete.js'],
  ['header.site', './keys.js'],
  ['ul[data-tree]', './tree.js'],
  ['form.heart', './heart.js'],
  ['button[data-copy]', './copy.js'],
  ['[data-import], [data-progress]', './import.js'],
  ['form[data-drop]', './match.js'],
  ['[data-gallery]', './gallery.js'],
  ['[data-filter]', './filter.js'],
  ['a[data-png]', './png.js'],
  ['section.life', './life.js'],
  ['[data-map]', './journal-map.js'],
  ['form[data-entry]', './journal-entry.js'],
  ['#draft', './journal-draft.js'],
  ['[data-done]', './journal-done.js'],
  ['[data-forget]', './journal-forget.js'],
];

for (const [selector, module] of parts) {
  const elements = document.querySelectorAll(selector);
  if (elements.length > 0) {
    import(module).then(({ start }) => elements.forEach((element) => start(element)));
  }
}
