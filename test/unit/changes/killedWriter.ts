// A window that changes files until it is killed: replies of 32 calls, in the folder and with the state that are given.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { editor } from "./editorModel.ts";
import { openChanges } from "./openChanges.ts";

const [root = "", storage = ""] = process.argv.slice(2);
const never = new AbortController().signal;
mkdirSync(join(root, "a"), { recursive: true });
editor.start(root);
const { writer } = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
for (let round = 0; ; round++) {
  const made = Array.from({ length: 32 }, (_, index) =>
    writer.write(`${index % 2 ? "a/" : ""}${round % 3}-${index}.txt`, `round ${round}\n`.repeat(40), never),
  );
  for (const one of made) void one.then(() => process.stdout.write("."));
  await Promise.all(made);
}
