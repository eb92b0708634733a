// One file that can't be rewound does not stop the others, and steps don't stand in each other's way.
import assert from "node:assert/strict";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FileChange } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;

async function openFiles(...names: readonly string[]) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  for (const name of names) writeFileSync(uriOf(name).path, `former ${name}\n`);
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const made: FileChange[] = [];
  for (const name of names) made.push(await changes.writer.write(name, "agent\n", never));
  return {
    changes,
    made,
    storage,
    rewind: async (answer: "keep" | "overwrite" = "keep") => {
      const done = await changes.rewind(made, async () => answer);
      assert.equal(done?.failure, undefined);
      return done ?? assert.fail("cancelled");
    },
    text: (name: string) => readFileSync(uriOf(name).path, "utf8"),
  };
}

for (const [title, block, reason] of [
  [
    "a file grew over 25 MB",
    (path: string) => truncateSync(path, 26 * 1024 * 1024),
    "b.txt is larger than 25 MB, so it is not changed.",
  ],
  [
    "a folder with files took its place",
    (path: string) => {
      rmSync(path);
      mkdirSync(path);
      writeFileSync(join(path, "user.txt"), "user\n");
    },
    "b.txt was not restored, because a folder with files has its place.",
  ],
  [
    "a file can't be read",
    (path: string) => {
      editor.failure = (asked) => (asked === path ? "NoPermissions" : undefined);
    },
    "b.txt can't be read: permission is denied.",
  ],
] as const)
  test(`${title}: it is kept, and the others are rewound`, async () => {
    for (const answer of ["keep", "overwrite"] as const) {
      const { rewind, changes, text } = await openFiles("a.txt", "b.txt", "c.txt");
      block(uriOf("b.txt").path);
      const done = await rewind(answer);
      const chosen = { path: "b.txt", reason: "a folder has its place", isChosen: true };
      const isAsked = title.startsWith("a folder") && answer === "keep";
      assert.deepEqual(done.kept, [isAsked ? chosen : { path: "b.txt", reason }]);
      assert.deepEqual([text("a.txt"), text("c.txt")], ["former a.txt\n", "former c.txt\n"]);
      changes.dispose();
    }
  });

test("a link out of the workspace took its place: the user is asked, and what it leads to is left alone", async () => {
  for (const answer of ["keep", "overwrite"] as const) {
    const { rewind, changes, text } = await openFiles("a.txt", "b.txt");
    const outside = join(temporaryFolder(), "outside.txt");
    writeFileSync(outside, "outside\n");
    rmSync(uriOf("b.txt").path);
    symlinkSync(outside, uriOf("b.txt").path);
    const { kept } = await rewind(answer);
    const chosen = { path: "b.txt", reason: "others have changed it", isChosen: true };
    assert.deepEqual(kept, answer === "keep" ? [chosen] : []);
    assert.deepEqual([text("a.txt"), readFileSync(outside, "utf8")], ["former a.txt\n", "outside\n"]);
    assert.equal(text("b.txt"), answer === "keep" ? "outside\n" : "former b.txt\n");
    changes.dispose();
  }
});

test("the stored content of one file is missing: it is kept, and the others are rewound", async () => {
  const { rewind, changes, text, storage, made } = await openFiles("a.txt", "b.txt");
  rmSync(join(storage, "blobs", made[0]?.before ?? ""));
  const reason = "The former content of a file is no longer stored, so it was not changed.";
  assert.deepEqual((await rewind()).kept, [{ path: "a.txt", reason }]);
  assert.deepEqual([text("a.txt"), text("b.txt")], ["agent\n", "former b.txt\n"]);
  changes.dispose();
});

test("a rewind of which no file can be rewound says why", async () => {
  const { changes, made } = await openFiles("a.txt");
  truncateSync(uriOf("a.txt").path, 26 * 1024 * 1024);
  await assert.rejects(
    changes.rewind(made, async () => "overwrite"),
    /a\.txt is larger than 25 MB/,
  );
  changes.dispose();
});

test("a file whose place is taken by the folder of a new one, and back", async () => {
  const { changes, made, rewind, text } = await openFiles();
  writeFileSync(uriOf("a").path, "former\n");
  made.push(await changes.writer.remove("a", never));
  made.push(await changes.writer.write("a/b/c.txt", "agent\n", never));
  const done = await rewind();
  assert.deepEqual([done.kept, text("a")], [[], "former\n"]);
  const undone = await changes.rewind(done.changes, async () => assert.fail("asked"));
  assert.deepEqual([undone?.failure, text("a/b/c.txt")], [undefined, "agent\n"]);
  changes.dispose();
});

test("a place that is reached through a link has nothing of its own, so that nothing is removed there", async () => {
  const { changes, rewind, made, text } = await openFiles();
  mkdirSync(uriOf("one").path);
  symlinkSync(uriOf("one").path, uriOf("two").path);
  writeFileSync(uriOf("one/x.txt").path, "former\n");
  const change = await changes.writer.write("one/x.txt", "former\n", never);
  made.push({ ...change, after: null });
  made.push({ ...change, uri: uriOf("two/x.txt").toString(), before: null });
  const done = await rewind();
  assert.equal(text("one/x.txt"), "former\n");
  assert.deepEqual(done.changes, []);
  assert.deepEqual(readdirSync(uriOf("one").path), ["x.txt"]);
  changes.dispose();
});

test("a file has the place of a folder: what was in it is kept, and the others are rewound", async () => {
  const { changes, made, rewind, text } = await openFiles("a.txt");
  mkdirSync(uriOf("folder").path);
  writeFileSync(uriOf("folder/b.txt").path, "former b.txt\n");
  made.push(await changes.writer.remove("folder/b.txt", never));
  rmSync(uriOf("folder").path, { recursive: true });
  writeFileSync(uriOf("folder").path, "user\n");
  const reason = "folder/b.txt was not restored, because folder is a file now.";
  assert.deepEqual((await rewind()).kept, [{ path: "folder/b.txt", reason }]);
  assert.equal(text("a.txt"), "former a.txt\n");
  changes.dispose();
});

test("what the user chose to keep says whether its text is unsaved or others have changed it", async () => {
  const { changes, rewind } = await openFiles("a.txt", "b.txt", "c.txt");
  editor.open(uriOf("a.txt")).type(0, 0, "user");
  writeFileSync(uriOf("b.txt").path, "user\n");
  assert.deepEqual((await rewind("keep")).kept, [
    { path: "a.txt", reason: "it has unsaved text", isChosen: true },
    { path: "b.txt", reason: "others have changed it", isChosen: true },
  ]);
  changes.dispose();
});
