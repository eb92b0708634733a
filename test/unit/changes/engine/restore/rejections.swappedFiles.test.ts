// Files that have each other's places after moves are rejected together, byte for byte.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const isWindows = process.platform === "win32";
const originals: Readonly<Record<string, Uint8Array>> = {
  "a.txt": Buffer.from("\ufeffa\r\nsame\nlast"),
  "b.txt": Buffer.from([0, 255, 13, 10]),
  "c.txt": Buffer.from("c\nsame\n"),
};
const modes: Readonly<Record<string, number>> = { "a.txt": 0o755, "b.txt": 0o640, "c.txt": 0o644 };

type Step =
  | readonly ["move", string, string]
  | readonly ["write", string, string]
  | readonly ["remove", string];

async function changed(steps: readonly Step[]) {
  const storage = temporaryFolder();
  editor.start(temporaryFolder());
  for (const [name, content] of Object.entries(originals)) {
    writeFileSync(uriOf(name).path, content);
    chmodSync(uriOf(name).path, modes[name] as number);
  }
  const open = () => openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const changes = open();
  for (const [verb, path, other = ""] of steps) {
    if (verb === "move") await changes.writer.move(path, other, never);
    else if (verb === "write") await changes.writer.write(path, other, never);
    else await changes.writer.remove(path, never);
  }
  return { changes, open };
}

function assertOriginal(title: string): void {
  for (const [name, content] of Object.entries(originals)) {
    assert.deepEqual(readFileSync(uriOf(name).path), content, `${title}: ${name}`);
    if (!isWindows)
      assert.equal(statSync(uriOf(name).path).mode & 0o777, modes[name], `${title}: mode of ${name}`);
  }
  const left = readdirSync(editor.root).filter((name) => name.endsWith(".txt"));
  assert.deepEqual(left.sort(), Object.keys(originals), title);
}

const swap: readonly Step[] = [
  ["move", "a.txt", "t.txt"],
  ["move", "b.txt", "a.txt"],
  ["move", "t.txt", "b.txt"],
];
const cases: Readonly<Record<string, readonly Step[]>> = {
  "two files": swap,
  "two files, and an edit": [...swap, ["write", "b.txt", "A\nnew\nlast"]],
  "two files in another folder": [
    ["move", "a.txt", "d/a.txt"],
    ["move", "b.txt", "a.txt"],
    ["move", "d/a.txt", "b.txt"],
  ],
  "a cycle of three": [
    ["move", "a.txt", "t.txt"],
    ["move", "b.txt", "a.txt"],
    ["move", "c.txt", "b.txt"],
    ["move", "t.txt", "c.txt"],
    ["write", "b.txt", "C\nsame\n"],
  ],
  "a chain": [
    ["move", "a.txt", "t.txt"],
    ["move", "b.txt", "a.txt"],
    ["move", "c.txt", "b.txt"],
  ],
  "a move onto the place of a deleted file": [
    ["remove", "c.txt"],
    ["move", "a.txt", "c.txt"],
    ["move", "b.txt", "a.txt"],
  ],
  "a new file at a former place": [
    ["move", "a.txt", "t.txt"],
    ["write", "a.txt", "new\n"],
  ],
  "a swap onto the place of a deleted file": [
    ["remove", "c.txt"],
    ["move", "a.txt", "c.txt"],
    ["move", "b.txt", "a.txt"],
    ["move", "c.txt", "b.txt"],
    ["write", "c.txt", "again\n"],
  ],
  "a folder at a former place": [
    ["move", "c.txt", "t.txt"],
    ["write", "c.txt/x", "new\n"],
    ["write", "c.txt/y/z", "new\n"],
  ],
  "a folder at the place of a deleted file": [
    ["remove", "c.txt"],
    ["write", "c.txt/x", "new\n"],
  ],
};

for (const [title, steps] of Object.entries(cases)) {
  test(`${title}: each one names those that must be rejected together, and they come back`, async () => {
    const { changes: first } = await changed(steps);
    const paths = first.files.map(({ path }) => path);
    first.dispose();
    for (const path of paths) {
      const { changes } = await changed(steps);
      const before = new Map(readdirSync(editor.root).map((name) => [name, statSync(uriOf(name).path).ino]));
      const connected = changes.connectedWith(uriOf(path));
      assert.ok(connected.every((one) => one.path !== path && paths.includes(one.path)));
      if (connected.length > 0) {
        await assert.rejects(changes.reject(uriOf(path)), /must be rejected together with it\.$/);
        const now = new Map(readdirSync(editor.root).map((name) => [name, statSync(uriOf(name).path).ino]));
        assert.deepEqual(now, before, "refused with nothing changed");
      }
      await changes.rejectTogether([uriOf(path), ...connected.map(({ uri }) => uri)]);
      for (const { uri } of changes.files) {
        const others = changes.connectedWith(uri).map((one) => one.uri);
        await changes.rejectTogether([uri, ...others]);
      }
      assertOriginal(`${title} from ${path}`);
      assert.deepEqual(changes.files, []);
      changes.dispose();
    }
  });

  test(`${title}: all are rejected at once, in any order, also after a reload`, async () => {
    for (const order of ["first", "last"]) {
      const { changes: last, open } = await changed(steps);
      for (const name of readdirSync(editor.root))
        if (name !== "d" && name !== "c.txt") editor.open(uriOf(name));
      last.dispose();
      const changes = open();
      await changes.accept(uriOf("none"));
      const uris = changes.files.map(({ uri }) => uri);
      await changes.rejectTogether(order === "first" ? uris : uris.toReversed());
      assertOriginal(`${title}, ${order}`);
      assert.deepEqual(changes.files, []);
      changes.dispose();
    }
  });
}

test("a file of the user at a former place is never overwritten, and nothing is changed", async () => {
  const { changes } = await changed([
    ["move", "a.txt", "t.txt"],
    ["write", "t.txt", "agent\n"],
  ]);
  writeFileSync(uriOf("a.txt").path, "user\n");
  assert.deepEqual(changes.connectedWith(uriOf("t.txt")), []);
  await assert.rejects(changes.reject(uriOf("t.txt")), {
    message: "t.txt could not be moved back to a.txt: another file has its place.",
  });
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "user\n");
  assert.equal(readFileSync(uriOf("t.txt").path, "utf8"), "\ufeffagent\n");
  rmSync(uriOf("a.txt").path);
  await changes.reject(uriOf("t.txt"));
  assertOriginal("later");
  changes.dispose();
});

test("what the user typed in swapped files moves back with them", async () => {
  const { changes } = await changed([...swap]);
  const document = editor.open(uriOf("b.txt"));
  document.type(0, 0, "typed ");
  const uris = [uriOf("b.txt"), ...changes.connectedWith(uriOf("b.txt")).map(({ uri }) => uri)];
  await changes.rejectTogether(uris);
  assert.equal(editor.find(uriOf("a.txt"))?.getText(), "typed a\nsame\nlast");
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "\ufeffa\r\nsame\nlast");
  assert.deepEqual(readFileSync(uriOf("b.txt").path), originals["b.txt"]);
  changes.dispose();
});

test("a rewind leaves text in swapped files as the move has saved it, after they were moved back", async () => {
  const { changes } = await changed([]);
  editor.open(uriOf("a.txt")).type(0, 0, "typed ");
  const made = [
    ...(await changes.writer.move("a.txt", "t.txt", never)),
    ...(await changes.writer.move("c.txt", "a.txt", never)),
    ...(await changes.writer.move("t.txt", "c.txt", never)),
  ];
  await changes.rejectTogether(changes.files.map(({ uri }) => uri));
  const done = await changes.rewind(made, async () => assert.fail("asked"));
  assert.deepEqual(done, { changes: [], kept: [] });
  assert.equal(editor.find(uriOf("a.txt"))?.isDirty, false);
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), "\ufefftyped a\nsame\nlast");
  for (const name of ["b.txt", "c.txt"])
    assert.deepEqual(readFileSync(uriOf(name).path), originals[name as keyof typeof originals]);
  changes.dispose();
});

test("a file that was written anew with the content of a deleted one is not taken for it", {
  skip: isWindows,
}, async () => {
  const { changes } = await changed([]);
  const made = [
    await changes.writer.remove("c.txt", never),
    await changes.writer.write("n.txt", "c\nsame\n", never),
  ];
  await changes.rewind(made, async () => assert.fail("asked"));
  assertOriginal("rewound");
  changes.dispose();
});

test("a swap that fails on its way can be rejected again", async () => {
  for (const failing of [1, 2, 3]) {
    const { changes } = await changed([...swap]);
    const move = editor.move;
    let renames = 0;
    editor.move = (from, to) => {
      renames += 1;
      if (renames === failing) throw new Error("EIO: i/o error");
      move(from, to);
    };
    const all = () => changes.rejectTogether(changes.files.map(({ uri }) => uri));
    await assert.rejects(all());
    editor.move = move;
    await all();
    assertOriginal(`failed at ${failing}`);
    assert.deepEqual(changes.files, []);
    changes.dispose();
  }
});

test("modes of deleted files come back after others took their places", { skip: isWindows }, async () => {
  const sequences: readonly (readonly Step[])[] = [
    [
      ["remove", "a.txt"],
      ["move", "c.txt", "a.txt"],
    ],
    [
      ["remove", "a.txt"],
      ["write", "a.txt", "again\n"],
    ],
    [
      ["remove", "b.txt"],
      ["write", "b.txt", "text\n"],
    ],
    [
      ["remove", "a.txt"],
      ["write", "n.txt", "new\n"],
      ["move", "n.txt", "a.txt"],
    ],
    [
      ["move", "a.txt", "t.txt"],
      ["write", "a.txt", "new\n"],
      ["remove", "t.txt"],
    ],
    [
      ["move", "a.txt", "t.txt"],
      ["move", "c.txt", "a.txt"],
      ["remove", "t.txt"],
    ],
    [
      ["remove", "a.txt"],
      ["move", "c.txt", "a.txt"],
      ["remove", "a.txt"],
      ["write", "a.txt", "again\n"],
    ],
  ];
  for (const steps of sequences) {
    const title = JSON.stringify(steps);
    const { changes } = await changed(steps);
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assertOriginal(title);
    changes.dispose();
    editor.start(temporaryFolder());
  }
});

test("a rewind brings back the modes of files whose places others took, and its undo theirs", {
  skip: isWindows,
}, async () => {
  const { changes } = await changed([]);
  const made = [
    await changes.writer.remove("a.txt", never),
    ...(await changes.writer.move("c.txt", "a.txt", never)),
    await changes.writer.remove("b.txt", never),
    ...(await changes.writer.move("a.txt", "b.txt", never)),
  ];
  const done = await changes.rewind(made, async () => assert.fail("asked"));
  assert.deepEqual([done?.failure, done?.kept], [undefined, []]);
  assertOriginal("rewound");
  await changes.rewind(done?.changes ?? [], async () => assert.fail("asked"));
  assert.deepEqual(readFileSync(uriOf("b.txt").path), originals["c.txt"]);
  assert.equal(statSync(uriOf("b.txt").path).mode & 0o777, modes["c.txt"]);
  assert.ok(!existsSync(uriOf("a.txt").path));
  changes.dispose();
});
