// Keys that lead to the search field from wherever one is: a slash, and Control or Command with K.

export function start() {
  addEventListener('keydown', (event) => {
    const isTyping = event.target.closest?.('input, textarea, select, [contenteditable]');
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (event.isComposing || !(isSlash || isK)) return;
    const field = document.querySelector('#q, #find');
    if (!field) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
