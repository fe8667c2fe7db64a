// Saves a picture as PNG: the browser draws the file that the link beside it saves, twice as large as it is.

import { element } from './names.js';
import { say } from './say.js';
import { word } from './words.js';

const scale = 2;
// Some browsers draw nothing on a larger canvas.
const longestEdge = 8192;

export function start(link) {
  const button = element('button', { type: 'button', className: 'button' }, word('saveAsPng'));
  link.after(' ', button);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const name = new URL(link.href).pathname.split('/').pop().replace(/\.svg$/, '');
      save(await drawn(link.href), `${name}.png`);
      say(word('pictureSaved'));
    } catch {
      say(word('pictureNotDrawn'));
      button.textContent = word('notDrawn');
    }
    button.disabled = false;
  });
}

/** The picture at an address as a file. */
async function drawn(address) {
  const image = new Image();
  image.src = address;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const factor = Math.min(scale, longestEdge / Math.max(width, height));
  const canvas = element('canvas', {
    width: Math.round(width * factor), height: Math.round(height * factor),
  });
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const file = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  if (!file) throw new Error('nothing was drawn');
  return file;
}

function save(file, name) {
  const address = URL.createObjectURL(file);
  const link = element('a', { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
