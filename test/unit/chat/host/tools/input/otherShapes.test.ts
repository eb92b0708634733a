// Calls whose shape is that of another tool: they mean one thing, or are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import { shapedInput } from "../../../../../../src/chat/host/tools/input/otherShapes.ts";
import { namedCall } from "../../../../../../src/chat/host/tools/input/toolNames.ts";

test("a patch that a command would apply in a folder changes the files of that folder", () => {
  const patch =
    "*** Begin Patch\n*** Update File: a.ts\n*** Move to: /ws/b.ts\n@@\n-*** Add File: x\n+y\n*** End Patch";
  const offered = ["run_command", "apply_patch"];
  const given = (input: object) => namedCall("shell", { ...input }, offered)?.input.patch;
  const moved = patch.replace("a.ts", "packages/a/a.ts");
  assert.equal(given({ command: ["apply_patch", patch], workdir: "packages/a" }), moved);
  assert.equal(given({ cmd: `apply_patch <<'EOF'\n${patch}\nEOF`, cwd: "packages/a/" }), moved);
  assert.equal(given({ command: ["apply_patch", patch] }), patch);
});

test("blocks to search and replace are divided where that is certain, and else stay as they are", () => {
  const diff = (old: string, now: string) => `<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`;
  const shaped = (text: string, more: object = {}) =>
    shapedInput("edit_file", { path: "a.md", diff: text, ...more }, {});
  const title = diff("Title\n=====\nold", "Title\n=====\nnew");
  assert.deepEqual(shaped(title).input.edits, [
    { old_text: "Title\n=====\nold", new_text: "Title\n=====\nnew" },
  ]);
  const heading = diff("Heading\n=======\nold", "Heading\n=======\nnew");
  assert.deepEqual(shaped(heading).input, { path: "a.md", diff: heading });
  assert.deepEqual(shaped(diff("a", "b"), { expected_replacements: 2 }), {
    input: { path: "a.md", edits: [{ old_text: "a", new_text: "b", all: true }] },
    notes: ["expected_replacements is not compared: it was read as all, for every occurrence."],
  });
});
