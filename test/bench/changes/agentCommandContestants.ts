// Contestants of the benchmark `agent-command`. The command changes three files of the repository and some that are ignored,
// makes a file anew, and waits.
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { editor } from "../../unit/changes/editorModel.ts";
import { openChanges } from "../../unit/changes/openChanges.ts";
import type { Prepare } from "../interleave.ts";

interface Given {
  readonly folder: string;
  readonly seconds: number;
}

const run = promisify(execFile);
const part = "packages/package1/part1";
/** A command that waits for contents takes longer. */
const mostMs = 900;

async function command(root: string, seconds: number, round: number): Promise<void> {
  const line = `sleep ${seconds}; for i in 1 2 3; do echo ${round} > ${part}/file$i.ts; done; echo ${round} > new.txt; echo x > dist/1.js`;
  await run("/bin/sh", ["-c", line], { cwd: root });
}

export const plain: Prepare<Given> = ({ folder, seconds }) => {
  const root = join(folder, "repository");
  let round = 0;
  return async () => {
    round += 1;
    await command(root, seconds, round);
    return "4 files";
  };
};

export const ours: Prepare<Given> = async ({ folder, seconds }) => {
  const root = join(folder, "repository");
  editor.start(root);
  const storage = mkdtempSync(join(folder, "storage-"));
  const changes = openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
  const never = new AbortController().signal;
  let round = 0;
  // The user decides about the command meanwhile. The first time, a command waits up to a second for the contents.
  for (let waitedMs = mostMs; waitedMs >= mostMs; ) {
    changes.programs.warm();
    const sinceMs = performance.now();
    await (await changes.programs.begin(never, () => {})).end();
    waitedMs = performance.now() - sinceMs;
  }
  return async () => {
    round += 1;
    const program = await changes.programs.begin(never, () => {});
    await command(root, seconds, -round);
    const { files } = await program.end();
    return `${files.length} files`;
  };
};
