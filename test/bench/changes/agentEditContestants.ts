// Contestants of the benchmark `agent-edit`. Each change replaces five lines in each of 200 files.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { editor } from "../../unit/changes/editorModel.ts";
import { openChanges } from "../../unit/changes/openChanges.ts";
import type { Prepare } from "../interleave.ts";

const files = Array.from({ length: 200 }, (_, index) => `src/part${index % 10}/file${index}.ts`);
/** Calls of one reply that run without a question: the chat runs them at once. */
const mostCalls = 32;
const places = [20, 60, 100, 140, 180];
const lineOf = (line: number, round: number) =>
  `export const value${line} = "${round} of this line";${" // so that it is as long as others".repeat(line % 3)}`;
const textOf = (round: number) =>
  Array.from({ length: 200 }, (_, line) => lineOf(line, places.includes(line) ? round : 0)).join("\n");

function makeFiles(folder: string): string {
  const root = mkdtempSync(join(folder, "root-"));
  for (let part = 0; part < 10; part++) mkdirSync(join(root, `src/part${part}`), { recursive: true });
  for (const [index, file] of files.entries()) writeFileSync(join(root, file), `// ${index}\n${textOf(0)}`);
  return root;
}

/** Reads each file, replaces the lines, writes a new file, flushes it and renames it. */
export const plain: Prepare<string> = (folder) => {
  const root = makeFiles(folder);
  let round = 0;
  return async () => {
    round += 1;
    for (const file of files) {
      const path = join(root, file);
      let text = await readFile(path, "utf8");
      for (const line of places) text = text.replace(lineOf(line, round - 1), () => lineOf(line, round));
      const written = await open(`${path}.tmp`, "wx");
      await written.writeFile(text);
      await written.sync();
      await written.close();
      await rename(`${path}.tmp`, path);
    }
    return `${places.length * files.length} in ${files.length}`;
  };
};

export const ours: Prepare<string> = (folder) => {
  const root = makeFiles(folder);
  editor.start(root);
  const storage = mkdtempSync(join(folder, "storage-"));
  const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  const never = new AbortController().signal;
  let round = 0;
  return async () => {
    round += 1;
    const replacements = places.map((line) => ({
      oldText: lineOf(line, round - 1),
      newText: lineOf(line, round),
    }));
    for (let start = 0; start < files.length; start += mostCalls)
      await Promise.all(
        files.slice(start, start + mostCalls).map((file) => changes.writer.edit(file, replacements, never)),
      );
    const hunks = changes.files.reduce((sum, file) => sum + file.hunks.length, 0);
    return `${hunks} in ${changes.files.length}`;
  };
};
