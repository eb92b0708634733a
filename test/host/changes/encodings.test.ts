// Files in other encodings than UTF-8, as the real editor reads and writes them: the agent reads and finds what the editor shows,
// its edit changes no byte of another line, and the way back restores all.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { createSearchTool } from "../../../src/chat/host/tools/search/searchTool.ts";
import { editorFiles } from "../../../src/tools/files/editorFiles.ts";
import { closeAll, until } from "../editors.ts";

const never = new AbortController().signal;

/** The bytes of "あ one\r\ntwo\r\n", or with é where the encoding has no あ. */
const bytesOf: Readonly<
  Record<string, readonly [encoding: string | undefined, first: string, bytes: Buffer]>
> = {
  Shift_JIS: ["shiftjis", "あ", Buffer.from("\x82\xa0 one\r\ntwo\r\n", "latin1")],
  GB18030: ["gb18030", "模", Buffer.from("\xc4\xa3 one\r\ntwo\r\n", "latin1")],
  "windows-1252": ["windows1252", "é", Buffer.from("\xe9 one\r\ntwo\r\n", "latin1")],
  "UTF-16 LE with a mark": [undefined, "あ", Buffer.from("\ufeffあ one\r\ntwo\r\n", "utf16le")],
  "UTF-16 BE with a mark": [undefined, "あ", Buffer.from("\ufeffあ one\r\ntwo\r\n", "utf16le").swap16()],
  "UTF-16 LE without a mark": [undefined, "é", Buffer.from("é one\r\ntwo\r\n", "utf16le")],
  "UTF-16 BE without a mark": [undefined, "é", Buffer.from("é one\r\ntwo\r\n", "utf16le").swap16()],
};

describe("files in other encodings", () => {
  let changes: PendingChanges;
  let storage: string;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "encodings", name));
  const onDisk = (name: string) => readFileSync(at(name).fsPath);
  const put = (name: string, content: Uint8Array) => writeFileSync(at(name).fsPath, content);
  const edit = (name: string, oldText: string, newText: string) =>
    changes.writer.edit(`encodings/${name}`, [{ oldText, newText }], never);
  const read = (name: string) => editorFiles.readText(`encodings/${name}`, 10_000);
  const search = (query: string) => {
    const context = {
      source: { kind: "chat" as const },
      changed() {},
      planned() {},
      written() {},
      began() {},
      results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
    };
    return createSearchTool(editorFiles).run?.({ query }, never, context) ?? assert.fail("no search");
  };
  /** Sets the encoding of plain text files, as a user does for a language. */
  const setEncoding = async (encoding: string | undefined) =>
    vscode.workspace
      .getConfiguration("files", { languageId: "plaintext" })
      .update("encoding", encoding, vscode.ConfigurationTarget.Global, true);

  beforeEach(() => {
    mkdirSync(join(root(), "encodings"), { recursive: true });
    storage = mkdtempSync(join(tmpdir(), "encodings-"));
    const report = (error: unknown) => assert.fail(String(error));
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "c.json"),
      report,
    });
  });
  afterEach(async () => {
    changes.dispose();
    await setEncoding(undefined);
    await closeAll();
    rmSync(join(root(), "encodings"), { recursive: true, force: true });
    rmSync(storage, { recursive: true, force: true });
  });

  for (const [title, [encoding, first, before]] of Object.entries(bytesOf))
    for (const isOpen of [false, true])
      it(`${title}, ${isOpen ? "open" : "closed"}: read, edited, rejected and rewound to the byte`, async () => {
        const name = `${title.replaceAll(" ", "-")}-${isOpen}.txt`;
        put(name, before);
        if (encoding !== undefined) await setEncoding(encoding);
        if (isOpen) await vscode.window.showTextDocument(at(name));
        assert.equal(await read(name), `${first} one\r\ntwo\r\n`);
        const made = await edit(name, "two", "2");
        const isBig = title.includes("BE");
        const [two, now] = ["two", "2"].map((text) => {
          const wide = Buffer.from(text, "utf16le");
          const bytes = encoding === undefined ? (isBig ? wide.swap16() : wide) : Buffer.from(text);
          return bytes.toString("latin1");
        });
        assert.equal(
          onDisk(name).toString("latin1"),
          before.toString("latin1").replace(two ?? "", now ?? ""),
        );
        if (encoding !== undefined && encoding !== "gb18030")
          await assert.rejects(
            edit(name, "one", "😀"),
            /its line 1 would have the character “😀” \(U\+1F600\), which this encoding lacks/,
          );
        await changes.reject(at(name));
        assert.deepEqual(onDisk(name), before);
        await edit(name, "one", "1");
        await changes.reject(at(name));
        const again = await edit(name, "two", "2");
        assert.equal(again.after, made.after);
        await changes.rewind([again], async () => assert.fail("asked"));
        assert.deepEqual(onDisk(name), before);
      });

  it("finds the text of an editor in another encoding than the setting says", async () => {
    put("found.txt", Buffer.from("caf\xe9 searched\n", "latin1"));
    const document = await vscode.workspace.openTextDocument(at("found.txt"), { encoding: "windows1252" });
    await vscode.window.showTextDocument(document);
    assert.match(await search("café searched"), /encodings\/found\.txt:1: café searched/);
  });

  it("refuses to write a new file for which the editor has text that is not saved yet", async () => {
    const uri = at("new.txt").with({ scheme: "untitled" });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 0), "typed\n");
    assert.ok(await vscode.workspace.applyEdit(typing));
    await until(() => document.isDirty);
    await assert.rejects(
      changes.writer.write("encodings/new.txt", "agent\n", never),
      /new\.txt was not changed, because it has unsaved changes in a new file of this name that is not saved yet/,
    );
    assert.ok(!existsSync(at("new.txt").fsPath));
    assert.equal(document.getText(), "typed\n");
  });

  it("does not replace typed text by a whole one when the file has changed on the disk, too", async () => {
    put("newer.txt", Buffer.from("one\n"));
    const document = await vscode.workspace.openTextDocument(at("newer.txt"));
    await vscode.window.showTextDocument(document);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(document.uri, new vscode.Position(0, 0), "typed\n");
    assert.ok(await vscode.workspace.applyEdit(typing));
    await until(() => document.isDirty);
    put("newer.txt", Buffer.from("of others\n"));
    await assert.rejects(
      changes.writer.write("encodings/newer.txt", "agent\n", never),
      /it has unsaved text of the user that you have not read/,
    );
    await edit("newer.txt", "one", "two");
    assert.equal(document.getText(), "typed\ntwo\n");
    assert.equal(String(onDisk("newer.txt")), "of others\n");
  });
});
