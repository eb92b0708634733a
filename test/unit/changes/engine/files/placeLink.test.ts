// While another process makes and takes what is at a place, a link is put there, or removed, without a write through a link, and
// without a loss of what that process has made.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as fileState from "../../../../../src/changes/engine/files/fileState.ts";
import type * as placing from "../../../../../src/changes/engine/files/placeLink.ts";
import { createTemporaryFiles } from "../../../../../src/platform/files/durable/temporaryFiles.ts";
import { isTemporaryName } from "../../../../../src/platform/files/durable/temporaryName.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";
import { namesBelow } from "./flipping/flippedNames.ts";

const { placeLink } = await loadWithEditor<typeof placing>("src/changes/engine/files/placeLink.ts");
const { linkNameOf } = await loadWithEditor<typeof fileState>("src/changes/engine/files/fileState.ts");
const temporary = createTemporaryFiles(undefined);

/** Puts and removes links of its own so often. Returns those that must be there unless another process has taken them. */
async function placeLinks(rounds: number) {
  const [made, removed] = [new Set<string>(), new Set<string>()];
  let refusals = 0;
  let last: string | undefined;
  for (let round = 0; round < rounds; round++) {
    const target = round % 3 === 2 ? undefined : `agent-${round}`;
    const expected = last === undefined ? null : linkNameOf(last);
    try {
      await placeLink(uriOf("folder/place"), "folder/place", { expected, target, temporary });
      if (last !== undefined) removed.add(last);
      if (target !== undefined) made.add(target);
      last = target;
    } catch (error) {
      assert.equal((error as Error).constructor.name, "Refusal", String(error));
      refusals += 1;
      last = undefined;
    }
  }
  return { kept: [...made].filter((one) => !removed.has(one)), removed, refusals };
}

test("while another process makes and takes what is there, nothing of it is lost, and nothing is written through a link", {
  skip: process.platform !== "linux" && "only Linux writes by the handle of a folder",
}, async () => {
  const base = temporaryFolder();
  const [root, outside, list] = [join(base, "work"), join(base, "outside"), join(base, "list")];
  for (const folder of [join(root, "folder"), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(outside, "kept.txt"), "kept");
  writeFileSync(list, "");
  editor.start(root);
  const flipper = spawn(process.execPath, [join(import.meta.dirname, "flipping/flipper.ts"), root, list], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const done = await once(flipper.stdout, "data")
    .then(() => placeLinks(randomCases(2_000)))
    .finally(async () => {
      flipper.kill("SIGKILL");
      await once(flipper, "exit");
    });
  const notes = readFileSync(list, "utf8")
    .split("\n")
    .map((line) => line.split(" "));
  const noted = (what: string) => notes.flatMap(([kind, name]) => (kind === what && name ? [name] : []));
  const [gone, there] = [new Set(noted("gone")), new Set(namesBelow(root))];
  const lost = [...noted("made"), ...done.kept].filter((name) => !gone.has(name) && !there.has(name));
  assert.deepEqual(lost, []);
  assert.deepEqual(
    [...done.removed].filter((name) => there.has(name)),
    [],
  );
  assert.deepEqual(readdirSync(outside), ["kept.txt"]);
  assert.equal(readFileSync(join(outside, "kept.txt"), "utf8"), "kept");
  assert.deepEqual(readdirSync(join(root, "folder")).filter(isTemporaryName), []);
});
