// run.mjs MODULE PACK: answers questions, one a line, from standard input, as EngineAnswers does.
import {readFileSync} from "node:fs";

const [modulePath, packPath] = process.argv.slice(2);
// Without imports: nothing but the module answers.
const {instance} = await WebAssembly.instantiate(readFileSync(modulePath), {});
const {memory, room, open, answer, output} = instance.exports;

function ask(bytes, call) {
  const place = room(bytes.length);  // This may move the memory.
  new Uint8Array(memory.buffer, place, bytes.length).set(bytes);
  const count = call();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, output(), count));
}

const refusal = ask(readFileSync(packPath), open);
const lines = refusal
  ? [refusal]
  : readFileSync(0, "utf8").split("\n").slice(0, -1)
      .map(question => ask(new TextEncoder().encode(question), answer));
process.stdout.write(lines.map(line => line + "\n").join(""));
