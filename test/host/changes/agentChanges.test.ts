// Changes of an agent in real documents and files: bytes, unsaved text, links, and the way back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { FileChange, PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { closeAll, insert } from "../editors.ts";
import { ourExtension } from "../extensions.ts";

const never = new AbortController().signal;
const refuseToAsk = async () => assert.fail("nothing was changed by others");

describe("changes of an agent", () => {
  let changes: PendingChanges;
  let storage: string;
  let made: FileChange[];
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (path: string) => vscode.Uri.file(join(root(), path));
  const onDisk = (path: string) => readFileSync(join(root(), path));
  const put = (path: string, content: string | Uint8Array) => {
    mkdirSync(dirname(join(root(), path)), { recursive: true });
    writeFileSync(join(root(), path), content);
  };
  const open = (folder: string) =>
    createEditorChanges({
      blobs: join(folder, "blobs"),
      stateFile: join(folder, "changes.json"),
      report: (error) => assert.fail(String(error)),
    });
  const edit = async (path: string, oldText: string, newText: string) =>
    void made.push(await changes.writer.edit(path, [{ oldText, newText }], never));
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "agent-changes-"));
    changes = open(storage);
    made = [];
  });
  afterEach(async () => {
    changes.dispose();
    await closeAll();
    rmSync(join(root(), "agent"), { recursive: true, force: true });
    rmSync(storage, { recursive: true, force: true });
  });

  for (const [name, text] of [
    ["line feeds", "one\ntwo\nthree\n"],
    ["CRLF and a byte order mark", "\ufeffone\r\ntwo\r\nthree"],
    ["both line ends", "one\r\ntwo\nthree\r\n"],
  ] as const)
    it(`restores a file with ${name} to the byte: rejected, and rewound`, async () => {
      put("agent/a.txt", text);
      await edit("agent/a.txt", "two", "TWO");
      assert.equal(String(onDisk("agent/a.txt")), text.replace("two", "TWO"));
      assert.equal(changes.fileOf(at("agent/a.txt"))?.hunks.length, 1);
      await changes.reject(at("agent/a.txt"));
      assert.equal(String(onDisk("agent/a.txt")), text);
      assert.equal(changes.files.length, 0);
      await edit("agent/a.txt", "three", "3");
      assert.ok(await changes.rewind(made, refuseToAsk));
      assert.equal(String(onDisk("agent/a.txt")), text);
    });

  it("changes an open document, and keeps what the user types inside and beside hunks", async () => {
    put("agent/a1.txt", "one\ntwo\nthree\nfour\n");
    const document = await vscode.workspace.openTextDocument(at("agent/a1.txt"));
    await vscode.window.showTextDocument(document);
    await edit("agent/a1.txt", "two", "TWO");
    await edit("agent/a1.txt", "four", "FOUR");
    assert.equal(document.isDirty, false);
    assert.equal(changes.fileOf(document.uri)?.hunks.length, 2);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), "zero\n");
    typing.insert(document.uri, new vscode.Position(1, 3), " mine");
    assert.ok(await vscode.workspace.applyEdit(typing));
    assert.deepEqual(
      changes.fileOf(document.uri)?.hunks.map(({ startLine }) => startLine),
      [4],
    );
    await changes.reject(document.uri);
    assert.equal(
      document.getText(),
      "zero\none\nTWO mine\nthree\nfour\n".replace("TWO mine", document.lineAt(2).text),
    );
    assert.match(document.getText(), /mine/);
  });

  it("leaves a document with unsaved text unsaved, and asks before a rewind overwrites it", async () => {
    put("agent/a2.txt", "one\ntwo\n");
    const document = await vscode.workspace.openTextDocument(at("agent/a2.txt"));
    await vscode.window.showTextDocument(document);
    await insert(document, new vscode.Position(0, 0), "typed\n");
    await edit("agent/a2.txt", "two", "TWO");
    assert.deepEqual([document.isDirty, document.getText()], [true, "typed\none\nTWO\n"]);
    await insert(document, new vscode.Position(1, 0), "more\n");
    let asked: readonly string[] = [];
    const keep = await changes.rewind(made, async (paths) => {
      asked = paths;
      return "keep";
    });
    assert.deepEqual([asked, keep?.changes], [["agent/a2.txt"], []]);
    assert.equal(keep?.kept[0]?.reason, "it has unsaved text");
    assert.equal(await changes.rewind(made, async () => undefined), undefined);
    assert.match(document.getText(), /more/);
    const done = await changes.rewind(made, async () => "overwrite");
    assert.equal(document.getText(), "typed\none\ntwo\n");
    assert.ok(await changes.rewind(done?.changes ?? [], refuseToAsk), "a rewind can be undone");
    assert.match(document.getText(), /more/);
  });

  it("creates, moves and deletes files, and takes all of it back", async () => {
    const binary = new Uint8Array([0, 255, 1, 254, 13, 10]);
    put("agent/b.bin", binary);
    put("agent/old.txt", "text\n");
    made.push(await changes.writer.write("agent/new/c.txt", "created\n", never));
    made.push(await changes.writer.remove("agent/b.bin", never));
    made.push(...(await changes.writer.move("agent/old.txt", "agent/moved.txt", never)));
    await edit("agent/moved.txt", "text", "other");
    assert.deepEqual(
      changes.files.map(({ kind }) => kind),
      ["created", "deleted", "moved"],
    );
    await changes.reject(at("agent/moved.txt"));
    assert.equal(String(onDisk("agent/old.txt")), "text\n");
    await changes.reject(at("agent/b.bin"));
    assert.deepEqual(new Uint8Array(onDisk("agent/b.bin")), binary);
    await changes.reject(at("agent/new/c.txt"));
    assert.ok(!existsSync(at("agent/new/c.txt").fsPath));
    const done = await changes.rewind(made, async () => "overwrite");
    assert.ok(done);
    assert.equal(String(onDisk("agent/old.txt")), "text\n");
    assert.deepEqual(new Uint8Array(onDisk("agent/b.bin")), binary);
  });

  it("keeps pending hunks over a reload, and counts what others changed meanwhile as the user's", async () => {
    put("agent/a4.txt", "one\ntwo\nthree\nfour\n");
    await edit("agent/a4.txt", "two", "TWO");
    await edit("agent/a4.txt", "four", "FOUR");
    changes.dispose();
    put("agent/a4.txt", "zero\none\nTWO\nthree\nFOUR by hand\n");
    changes = open(storage);
    if (changes.files.length === 0)
      await new Promise<void>((resolve) => changes.onDidChange(() => changes.files.length > 0 && resolve()));
    assert.equal(changes.files[0]?.hunks.length, 1);
    await changes.reject(at("agent/a4.txt"));
    assert.equal(String(onDisk("agent/a4.txt")), "zero\none\ntwo\nthree\nFOUR by hand\n");
  });

  it("refuses places outside, links out, secrets and files that run code, with nothing written", async () => {
    const outside = mkdtempSync(join(tmpdir(), "outside-"));
    mkdirSync(join(root(), "agent"), { recursive: true });
    symlinkSync(outside, join(root(), "agent/link"));
    symlinkSync(join(outside, "missing"), join(root(), "agent/dangling"));
    const paths = [
      "../x",
      "/etc/x",
      "a/../../x",
      "agent/link/x.txt",
      "agent/link/deep/x.txt",
      "agent/dangling",
      ".env",
      "agent/id_rsa",
      ".git/hooks/pre-commit",
      ".GIT/config",
      ".vscode/tasks.json",
      ".vscode/settings.json",
      "agent/.husky/x",
      "x.code-workspace",
      "",
      ".",
      "agent",
    ];
    for (const path of paths) {
      await assert.rejects(changes.writer.write(path, "x", never), { name: "Error" }, path);
      await assert.rejects(changes.writer.move("agent/a5.txt", path, never), path);
      await assert.rejects(changes.writer.remove(path, never), path);
    }
    const forged = [{ uri: vscode.Uri.file(join(outside, "y")).toString(), before: null, after: null }];
    await assert.rejects(changes.rewind(forged, refuseToAsk), /not a file of the workspace/);
    assert.deepEqual(changes.files, []);
    assert.ok(!existsSync(join(outside, "x.txt")));
    rmSync(outside, { recursive: true, force: true });
  });

  it("refuses files that run code also behind a link inside the workspace", async () => {
    mkdirSync(join(root(), ".vscode"), { recursive: true });
    mkdirSync(join(root(), "agent"), { recursive: true });
    symlinkSync(join(root(), ".vscode"), join(root(), "agent/cfg"));
    await assert.rejects(changes.writer.write("agent/cfg/tasks.json", "{}", never), /run programs/);
    await assert.rejects(changes.writer.write("agent/cfg/new/x.json", "{}", never), /run programs/);
    assert.ok(!existsSync(join(root(), ".vscode/new")));
  });

  it("keeps what others wrote into a created file, and into the place of a deleted one", async () => {
    await changes.writer.write("agent/new.txt", "a\nb\n", never);
    put("agent/new.txt", "a\nb\nmine\n");
    await changes.reject(at("agent/new.txt"));
    assert.equal(String(onDisk("agent/new.txt")), "mine\n");
    put("agent/gone.txt", "former\n");
    await changes.writer.remove("agent/gone.txt", never);
    put("agent/gone.txt", "mine\n");
    await assert.rejects(changes.reject(at("agent/gone.txt")), /exists again/);
    assert.equal(String(onDisk("agent/gone.txt")), "mine\n");
  });

  it("writes a whole file with the byte order mark and the line ends that it had", async () => {
    put("agent/form.txt", "\ufeffone\r\ntwo\r\n");
    await changes.writer.write("agent/form.txt", "one\n2\n", never);
    assert.equal(String(onDisk("agent/form.txt")), "\ufeffone\r\n2\r\n");
  });

  it("a rewind says which file has no place any more, and what it did can be undone", async () => {
    put("agent/one.txt", "one\n");
    put("agent/dir/two.txt", "two\n");
    await edit("agent/one.txt", "one", "ONE");
    await edit("agent/dir/two.txt", "two", "TWO");
    rmSync(join(root(), "agent/dir"), { recursive: true });
    put("agent/dir", "a file in place of the folder");
    const done = await changes.rewind(made, async () => "overwrite");
    const reason = "agent/dir/two.txt was not restored, because agent/dir is a file now.";
    assert.deepEqual([done?.changes.length, done?.kept[0]?.reason], [1, reason]);
    assert.equal(String(onDisk("agent/one.txt")), "one\n");
    await changes.rewind(done?.changes ?? [], refuseToAsk);
    assert.equal(String(onDisk("agent/one.txt")), "ONE\n");
  });

  it("follows a folder that is renamed", async () => {
    put("agent/from/a.txt", "one\n");
    await edit("agent/from/a.txt", "one", "ONE");
    const renaming = new vscode.WorkspaceEdit();
    renaming.renameFile(at("agent/from"), at("agent/to"));
    assert.ok(await vscode.workspace.applyEdit(renaming));
    await changes.reject(at("agent/to/a.txt"));
    assert.equal(String(onDisk("agent/to/a.txt")), "one\n");
  });

  it("is untouched by names of members of objects", async () => {
    for (const name of ["constructor", "__proto__", "hasOwnProperty"]) {
      made.push(await changes.writer.write(`agent/${name}`, "x\n", never));
      await edit(`agent/${name}`, "x", "y");
    }
    assert.equal(changes.files.length, 3);
    await changes.rewind(made, refuseToAsk);
    assert.equal(changes.files.length, 0);
  });

  type CommittedFile = readonly [status: string, path: string];
  const git = (...args: string[]) =>
    String(execFileSync("git", args, { cwd: ourExtension().extensionPath, maxBuffer: 1e9 }));
  const textOf = (commit: string, path: string) => git("show", `${commit}:${path}`);
  const filesOf = (commit: string): readonly CommittedFile[] => {
    const rows = git("diff", "--no-renames", "--name-status", `${commit}~1`, commit, "--", "src").trim();
    return rows === "" ? [] : rows.split("\n").map((row) => row.split("\t") as [string, string]);
  };
  /** The files are those of a commit; those with the status `absent` do not exist. */
  const assertTree = (commit: string, files: readonly CommittedFile[], absent: "A" | "D") => {
    for (const [status, path] of files)
      if (status === absent) assert.ok(!existsSync(at(`agent/${path}`).fsPath));
      else assert.equal(String(onDisk(`agent/${path}`)), textOf(commit, path));
  };
  const replay = async (commit: string, files: readonly CommittedFile[]) => {
    made = [];
    for (const [status, path] of files) if (status !== "A") put(`agent/${path}`, textOf(`${commit}~1`, path));
    for (const [status, path] of files) {
      const place = `agent/${path}`;
      if (status === "D") made.push(await changes.writer.remove(place, never));
      else made.push(await changes.writer.write(place, textOf(commit, path), never));
    }
    assertTree(commit, files, "D");
    for (const { uri } of changes.files) await changes.reject(uri);
    assert.equal(changes.files.length, 0);
    assertTree(`${commit}~1`, files, "A");
    rmSync(join(root(), "agent"), { recursive: true, force: true });
  };

  it("replays real commits: the tree is that of the commit, and rewinding restores the one before", async () => {
    const isShallow = git("rev-parse", "--is-shallow-repository").trim() === "true";
    // A shallow clone has no commit before its oldest one.
    const commits = git("log", "--no-merges", "--format=%H", "-40", "--", "src").trim().split("\n");
    if (isShallow) commits.pop();
    let replayed = 0;
    for (const commit of commits) {
      const files = filesOf(commit);
      if (files.length === 0 || files.length > 25) continue;
      await replay(commit, files);
      if (++replayed === 20) break;
    }
    assert.ok(replayed === 20 || isShallow, `${replayed} commits were replayed`);
  });
});
