// Symbolic links that programs make, remove and retarget are pending, and are restored as links, by the text of their targets.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor } from "../../editorModel.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

const never = new AbortController().signal;
const long = `${"long/".repeat(600)}end`;
/** Targets that must only be texts. */
const targets: Readonly<Record<string, string>> = {
  link: "a.txt",
  "d/up": "../a.txt",
  absolute: "/etc/hostname",
  above: "../../../..",
  repository: ".git/hooks/pre-commit",
  bytes: "no\xff\xfe\u0001text",
  long,
  itself: "itself",
};
const files: Readonly<Record<string, string>> = {
  ".gitignore": "ignored/\n",
  "a.txt": "one\ntwo\n",
  "d/b.txt": "b\n",
  ".git/hooks/sample": "hook\n",
};

let storage = "";
let changes: PendingChanges;
let made: FileChange[] = [];

/** Each entry below the folder: the text of a file, or the target of a link, which is not followed. */
function seen(folder = editor.root): Readonly<Record<string, string>> {
  const all = readdirSync(folder, { withFileTypes: true }).flatMap((entry): [string, string][] => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return Object.entries(seen(path)).map(([name, text]) => [`${entry.name}/${name}`, text]);
    const isLink = entry.isSymbolicLink();
    return [[entry.name, isLink ? `→${readlinkSync(path, "latin1")}` : readFileSync(path, "latin1")]];
  });
  return Object.fromEntries(all.sort());
}

beforeEach(() => {
  storage = temporaryFolder();
  editor.start(join(temporaryFolder(), "work"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(uriOf(name).path), { recursive: true });
    writeFileSync(uriOf(name).path, text);
  }
  for (const [name, target] of Object.entries(targets))
    symlinkSync(Buffer.from(target, "latin1"), uriOf(name).path);
  made = [];
  changes = open();
});
afterEach(() => changes.dispose());

function open(): PendingChanges {
  return openChanges(join(storage, "blobs"), join(storage, "changes.jsonl"));
}

async function run(command: string) {
  const program = await changes.programs.begin(never, (some) => made.push(...some));
  execFileSync("/bin/sh", ["-c", command], { cwd: editor.root });
  return program.end();
}

const listed = () => changes.files.map(({ path, kind, link }) => [path, kind, link]).sort();
const rewindAll = () =>
  changes.rewind(made, async (paths) => assert.fail(`asks about ${paths.join(", ")}`), "chat");

const commands = [
  "rm link d/up absolute above repository bytes long itself",
  "ln -s a.txt made; ln -s /etc/passwd d/made; ln -s nowhere dangling",
  "ln -sfn d link; ln -sfn /etc absolute; ln -sfn .git repository",
  "ln -sf d/b.txt a.txt",
  "mv link moved; mv -T bytes long",
  "rm -r d",
  "rm link && echo file >link",
  "rm link && mkdir link && echo in >link/in.txt && ln -s .. link/up",
  "mv d e && ln -s e d",
  "rm a.txt && ln -s link a.txt && rm link && ln -s a.txt link",
];
for (const command of commands)
  test(`${command}: a rewind restores each link, its undo makes the change again, and so do rejections`, async () => {
    const first = seen();
    await run(command);
    const changed = seen();
    assert.notDeepEqual(changed, first);
    const done = await rewindAll();
    assert.deepEqual([done?.kept, done?.failure], [[], undefined]);
    assert.deepEqual(seen(), first);
    assert.deepEqual(listed(), []);
    const undone = await changes.rewind(done?.changes ?? [], async () => assert.fail("asks"), "chat");
    assert.deepEqual([undone?.kept, undone?.failure], [[], undefined]);
    assert.deepEqual(seen(), changed);
    await changes.rejectTogether(changes.files.map(({ uri }) => uri));
    assert.deepEqual(seen(), first);
    assert.deepEqual(listed(), []);
  });

test("links are listed with their targets, and each is accepted or rejected as a whole", async () => {
  await run("ln -s d made; ln -sfn d link; rm absolute; ln -sf d/b.txt a.txt; rm above; echo file >above");
  assert.deepEqual(listed(), [
    ["a.txt", "linked", { after: "d/b.txt" }],
    ["above", "created", { before: "../../../.." }],
    ["absolute", "deleted", { before: "/etc/hostname" }],
    ["link", "linked", { before: "a.txt", after: "d" }],
    ["made", "linked", { after: "d" }],
  ]);
  assert.equal(Buffer.from((await changes.originalOf(uriOf("link"))) ?? []).toString(), "a.txt");
  await changes.accept(uriOf("made"));
  for (const name of ["a.txt", "above", "absolute", "link"]) await changes.reject(uriOf(name), "hunk");
  assert.deepEqual(listed(), []);
  const { made: link, ...others } = seen();
  assert.equal(link, "→d");
  assert.deepEqual(others, Object.fromEntries(Object.entries(seen()).filter(([name]) => name !== "made")));
  assert.equal(readFileSync(uriOf("a.txt").path, "utf8"), files["a.txt"]);
  for (const name of ["above", "absolute", "link"])
    assert.equal(readlinkSync(uriOf(name).path), targets[name]);
});

test("they are pending in the next window, also if this one was killed while the command ran", async () => {
  const first = seen();
  await run("rm absolute; ln -sfn d link");
  const before = listed();
  changes.dispose();
  changes = open();
  await changes.accept(uriOf("nothing"));
  assert.deepEqual(listed(), before);
  const program = await changes.programs.begin(never, () => {});
  execFileSync("/bin/sh", ["-c", "rm bytes; ln -s a.txt new; ln -sfn /etc link"], { cwd: editor.root });
  assert.ok(program);
  changes.dispose();
  changes = open();
  await changes.accept(uriOf("nothing"));
  assert.deepEqual(
    listed().map(([path, kind]) => [path, kind]),
    [
      ["absolute", "deleted"],
      ["bytes", "deleted"],
      ["link", "linked"],
      ["new", "linked"],
    ],
  );
  await changes.rejectTogether(changes.files.map(({ uri }) => uri));
  assert.deepEqual(seen(), first);
});

test("a link that the user has changed since is the user's: the rewind asks, and a rejection leaves it", async () => {
  await run("ln -sfn d link");
  execFileSync("ln", ["-sfn", "mine", uriOf("link").path]);
  const asked: string[] = [];
  const done = await changes.rewind(made, async (paths) => {
    asked.push(...paths);
    return "keep";
  });
  assert.deepEqual([asked, done?.changes], [["link"], []]);
  await changes.reject(uriOf("link"));
  assert.equal(readlinkSync(uriOf("link").path), "mine");
});

test("ignored links are no changes, and one with the name of a file of secrets is named and not restored", async () => {
  const result = await run("mkdir -p ignored && ln -s ../a.txt ignored/l; ln -s a.txt .env");
  assert.deepEqual(result.files, [{ path: ".env", kind: "created" }]);
  assert.equal(result.kept.length, 1);
  assert.deepEqual(made, []);
});

test("an edit by the agent at the place of a removed link is a new file, whose rejection restores the link", async () => {
  const first = seen();
  await run("rm link");
  made.push(await changes.writer.write("link", "agent\n", never));
  assert.deepEqual(listed(), [["link", "created", { before: "a.txt" }]]);
  await changes.reject(uriOf("link"));
  assert.deepEqual(seen(), first);
});

test("while another process swaps a link and its folder, nothing outside is read or written", async () => {
  const outside = join(editor.root, "..", "outside");
  mkdirSync(outside);
  writeFileSync(join(outside, "b.txt"), "outside\n");
  const before = seen(outside);
  await run("ln -sfn d link; rm d/up; ln -sf ../a.txt d/b.txt");
  // The folder is a link out of the workspace now.
  execFileSync("/bin/sh", ["-c", "mv d kept && ln -s ../outside d"], { cwd: editor.root });
  const done = await changes.rewind(made, async () => "overwrite");
  assert.deepEqual(
    done?.kept.map(({ reason }) => reason),
    ["d/b.txt was not restored, because d is a link now.", "d/up was not restored, because d is a link now."],
  );
  assert.equal(readlinkSync(uriOf("link").path), "a.txt");
  assert.deepEqual(seen(outside), before);
  assert.ok(lstatSync(uriOf("d").path).isSymbolicLink() && existsSync(uriOf("kept/b.txt").path));
});
