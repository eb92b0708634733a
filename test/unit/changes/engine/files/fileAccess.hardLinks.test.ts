// A file can have several names, which are hard links. What an agent, a rejection or a rewind changes is the file of one name.
import assert from "node:assert/strict";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { allTexts } from "../../callTools.ts";
import type { Document } from "../../editorDocument.ts";
import { editor } from "../../editorModel.ts";
import type { Notebook } from "../../notebookDocument.ts";
import { openChanges, openKillableChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const text = "one\ntwo\nthree\n";
const cell = {
  cell_type: "code",
  execution_count: null,
  id: "a",
  metadata: {},
  outputs: [],
  source: ["x = 1"],
};
const json = `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

/** `a.txt` and `b.txt` are one file, `c.txt` is another one, and so are `a.ipynb`, `b.ipynb` and `c.ipynb`. */
function openNames() {
  const storage = temporaryFolder();
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  editor.start(root);
  for (const [type, content] of [
    ["txt", text],
    ["ipynb", json],
  ] as const) {
    writeFileSync(join(root, `a.${type}`), content);
    linkSync(join(root, `a.${type}`), join(root, `b.${type}`));
    writeFileSync(join(root, `c.${type}`), `${content} `);
  }
  const [blobs, stateFile] = [`${storage}/blobs`, `${storage}/changes.jsonl`];
  return {
    root,
    changes: openChanges(blobs, stateFile),
    blobs,
    stateFile,
    place: (name: string) => join(root, name),
  };
}

const read = (name: string) => readFileSync(uriOf(name).path, "utf8");
const inode = (name: string) => statSync(uriOf(name).path).ino;

/** What a process does to a file by one of its names, as a program that runs for the agent. */
async function inProgram(changes: PendingChanges, act: () => void): Promise<readonly FileChange[]> {
  const made: FileChange[] = [];
  const run = await changes.programs.begin(never, (some) => void made.push(...some));
  act();
  await run.end();
  return made;
}

/** The ways in which the engine writes `a.txt`, each with its editor in a certain state. */
const writes: Readonly<
  Record<string, (changes: PendingChanges, shown: Document | undefined) => Promise<unknown>>
> = {
  edit: ({ writer }) => writer.edit("a.txt", [{ oldText: "two", newText: "TWO" }], never),
  write: ({ writer }) => writer.write("a.txt", "new\n", never, { known: allTexts }),
  "edit, saved by the user": async ({ writer }, shown) => {
    await writer.edit("a.txt", [{ oldText: "two", newText: "TWO" }], never);
    await shown?.save();
  },
  move: ({ writer }) => writer.move("a.txt", "moved.txt", never),
  remove: ({ writer }) => writer.remove("a.txt", never),
};
const editors: Readonly<Record<string, () => Document | undefined>> = {
  closed: () => undefined,
  open: () => editor.open(uriOf("a.txt")),
  unsaved: () => {
    const document = editor.open(uriOf("a.txt"));
    document.type(0, 0, "typed ");
    return document;
  },
};

for (const [state, show] of Object.entries(editors))
  for (const [name, write] of Object.entries(writes)) {
    // It is refused.
    if (name === "remove" && state === "unsaved") continue;
    test(`${name} of one name whose editor is ${state} leaves the other name alone`, async () => {
      const { changes } = openNames();
      const shown = show();
      await write(changes, shown);
      assert.equal(read("b.txt"), text);
      await changes.rejectTogether(changes.files.map(({ uri }) => uri));
      await shown?.save();
      assert.equal(read("b.txt"), text);
      assert.equal(read("a.txt").replace("typed ", ""), text);
      changes.dispose();
    });
  }

test("cells are changed in the notebook of one name, also if the user has typed in it", async () => {
  for (const isTyped of [false, true]) {
    const { changes } = openNames();
    const notebook: Notebook = editor.openNotebook(uriOf("a.ipynb"));
    if (isTyped) notebook.type(0, "typed ");
    const edit = { action: "insert_after", cell: "1", newText: "y = 2", kind: "code" } as const;
    const { change } = await changes.writer.editCells("a.ipynb", [edit], never, { known: allTexts });
    assert.match(read("a.ipynb"), /y = 2/);
    assert.equal(read("b.ipynb"), json);
    await changes.rewind([change], async () => assert.fail("asked"));
    assert.equal(read("b.ipynb"), json);
    assert.equal(read("a.ipynb"), isTyped ? json.replace("x = 1", "typed x = 1") : json);
    changes.dispose();
  }
});

test("a file that a program has made a name of another one is restored through its editor without changing that one", async () => {
  for (const type of ["txt", "ipynb"])
    for (const isLinkOpen of [false, true]) {
      const { changes, place } = openNames();
      const [made, other] = [`c.${type}`, `a.${type}`];
      const [before, former] = [read(made), read(other)];
      editor.open(uriOf(other));
      if (isLinkOpen) editor.open(uriOf(made));
      const done = await inProgram(changes, () => {
        unlinkThenLink(place(other), place(made));
      });
      editor.settle();
      editor.open(uriOf(made));
      assert.equal(inode(made), inode(other));
      const rewound = await changes.rewind(done, async () => assert.fail("asked"));
      assert.equal(rewound?.failure, undefined);
      assert.deepEqual([read(made), read(other)], [before, former]);
      changes.dispose();
    }
});

test("an edit of a file that a program has made a name of an edited one: a rewind restores the bytes of both", async () => {
  for (const isOpen of [false, true]) {
    const { changes, place } = openNames();
    if (isOpen) editor.open(uriOf("a.txt"));
    const first = await changes.writer.edit("a.txt", [{ oldText: "two", newText: "TWO" }], never);
    const done = await inProgram(changes, () => unlinkThenLink(place("a.txt"), place("c.txt")));
    const last = await changes.writer.edit("a.txt", [{ oldText: "one", newText: "ONE" }], never);
    assert.equal(read("c.txt"), "one\nTWO\nthree\n");
    const rewound = await changes.rewind([first, ...done, last], async () => assert.fail("asked"));
    assert.equal(rewound?.failure, undefined);
    assert.deepEqual([read("a.txt"), read("b.txt"), read("c.txt")], [text, text, `${text} `]);
    changes.dispose();
  }
});

test("killed after a program has made a name of a file with an open editor, the next window restores both", async () => {
  for (const type of ["txt", "ipynb"]) {
    const { changes: unused, blobs, stateFile, place } = openNames();
    unused.dispose();
    const { changes, kill } = openKillableChanges(blobs, stateFile);
    const [made, other] = [`c.${type}`, `a.${type}`];
    const [before, former] = [read(made), read(other)];
    for (const name of [made, other])
      if (type === "txt") editor.open(uriOf(name));
      else editor.openNotebook(uriOf(name));
    const edit = { oldText: type === "txt" ? "two" : "x = 1", newText: "TWO" };
    await changes.writer.edit(other, [edit], never);
    await changes.programs.begin(never, () => {});
    unlinkThenLink(place(other), place(made));
    kill();
    editor.restart();
    const next = openChanges(blobs, stateFile);
    await next.accept(uriOf("none"));
    await next.rejectTogether(next.files.map(({ uri }) => uri));
    assert.deepEqual([read(made), read(other)], [before, former]);
    next.dispose();
  }
});

test("what the user saves by one name while a program runs is not the program's by the other name", async () => {
  const { changes } = openNames();
  const document = editor.open(uriOf("a.txt"));
  const done = await inProgram(changes, () => {
    document.type(0, 0, "typed ");
    void document.save();
  });
  assert.equal(read("b.txt"), `typed ${text}`);
  assert.deepEqual(done, []);
  changes.dispose();
});

test("what the user has saved by the other name is replaced only after a question", async () => {
  const { changes, place } = openNames();
  const done = await inProgram(changes, () => unlinkThenLink(place("a.txt"), place("c.txt")));
  const document = editor.open(uriOf("a.txt"));
  document.type(0, 0, "typed ");
  await document.save();
  const asked: string[] = [];
  const rewound = await changes.rewind(done, async (paths) => {
    asked.push(...paths);
    return "keep";
  });
  assert.deepEqual([asked, rewound?.changes], [["c.txt"], []]);
  assert.deepEqual([read("a.txt"), read("c.txt")], [`typed ${text}`, `typed ${text}`]);
  changes.dispose();
});

test("what a program writes to one name is restored by both, with the mode", async () => {
  for (const shown of [[], ["a.txt"], ["b.txt"], ["a.txt", "b.txt"]]) {
    const { changes, place } = openNames();
    chmodSync(place("a.txt"), 0o640);
    const modes = ["a.txt", "b.txt"].map((name) => statSync(place(name)).mode);
    for (const name of shown) editor.open(uriOf(name));
    const done = await inProgram(changes, () => {
      writeFileSync(place("a.txt"), "program\n");
      chmodSync(place("a.txt"), 0o600);
    });
    assert.equal(done.length, 2);
    const rewound = await changes.rewind(done, async () => assert.fail("asked"));
    assert.equal(rewound?.failure, undefined);
    assert.deepEqual([read("a.txt"), read("b.txt")], [text, text]);
    assert.deepEqual(
      ["a.txt", "b.txt"].map((name) => statSync(place(name)).mode),
      modes,
    );
    changes.dispose();
  }
});

test("an editor knows its file again by time, size and mode, and nothing stays beside it", async () => {
  const { changes, place, root } = openNames();
  utimesSync(place("a.txt"), 1_000, 2_000);
  chmodSync(place("a.txt"), 0o640);
  const before = readdirSync(root);
  const document = editor.open(uriOf("a.txt"));
  document.type(0, 0, "typed ");
  await changes.writer.edit("a.txt", [{ oldText: "two", newText: "TWO" }], never);
  const [own, other] = [statSync(place("a.txt")), statSync(place("b.txt"))];
  assert.notEqual(own.ino, other.ino);
  assert.deepEqual([own.mtimeMs, own.size, own.mode], [2_000_000, other.size, other.mode]);
  assert.deepEqual(readdirSync(root), before);
  changes.dispose();
});

/** As `ln -f`. */
function unlinkThenLink(file: string, name: string): void {
  rmSync(name);
  linkSync(file, name);
}
