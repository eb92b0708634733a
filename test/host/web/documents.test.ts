import assert from "node:assert/strict";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { filesBelow } from "../../../src/platform/files/bounded/filesBelow.ts";
import { commands, resultScheme, settings } from "../../../src/shared/names/ids.ts";
import { ourExtension, probeContext } from "../extensions.ts";
import { memoryFiles } from "./memoryFiles.ts";

const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex");

describe("documents", () => {
  let folder: string;
  const run = vscode.commands.executeCommand;
  const fixture = (name: string) =>
    join(ourExtension().extensionPath, "test", "unit", "fixtures", "documents", name);
  const parseBy = (parser: string | undefined) =>
    vscode.workspace.getConfiguration().update(settings.webParser, parser, true);
  before(async () => {
    await run(commands.connectionUseSandbox);
    await parseBy("service");
  });
  after(() => parseBy(undefined));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "inference-documents-"));
  });
  afterEach(async () => {
    await run("workbench.action.revertAndCloseActiveEditor");
    await run("workbench.action.closeAllEditors");
    rmSync(folder, { recursive: true });
  });

  it("become text files in their folder, with source and tokens", async () => {
    const file = join(folder, "harvest.docx");
    cpSync(fixture("harvest.docx"), file);
    await run(commands.webParse, vscode.Uri.file(file));
    const document = vscode.window.activeTextEditor?.document;
    assert.ok(document);
    assert.deepEqual(
      [document.uri.scheme, document.uri.path.split("/").at(-1)],
      [resultScheme, "harvest.docx.md"],
    );
    assert.equal(document.isDirty, false);
    assert.match(document.getText(), /^---\nsource: "harvest\.docx"\ndate: "20.+"\ntokens: \d+\n---\n\n\S/);
    assert.equal(document.languageId, "markdown");
  });

  it("are read on this machine if set, with marks of pages", async () => {
    await parseBy("machine");
    const file = join(folder, "here.pdf");
    // Bytes of its own: the stored text of a file with the same bytes would be opened in other tests.
    writeFileSync(file, Buffer.concat([readFileSync(fixture("harvest.pdf")), Buffer.from("\n% here\n")]));
    await run(commands.webParse, vscode.Uri.file(file));
    const text = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(text, /^---\nsource: "here\.pdf"\ndate: "20.+"\ntokens: \d+\n---\n\n<!-- Page 1 -->\n/);
    assert.match(text, /<!-- Page 2 -->\n\nSecond page/);
    await parseBy("service");
  });

  it("become text without front matter if set", async () => {
    await vscode.workspace.getConfiguration().update(settings.webParseFormat, "text", true);
    const file = join(folder, "harvest.docx");
    cpSync(fixture("harvest.docx"), file);
    await run(commands.webParse, vscode.Uri.file(file));
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, "plaintext");
    assert.doesNotMatch(document.getText(), /^---/);
    await vscode.workspace.getConfiguration().update(settings.webParseFormat, undefined, true);
  });

  it("are not sent again until they change, whatever their name", async () => {
    const [file, copy] = [join(folder, "once.docx"), join(folder, "copy.docx")];
    for (const path of [file, copy])
      writeFileSync(path, Buffer.concat([readFileSync(fixture("harvest.docx"))]));
    await run(commands.webParse, vscode.Uri.file(file));
    const first = vscode.window.activeTextEditor?.document.uri.toString();
    await run("workbench.action.closeAllEditors");
    await run(commands.webParse, vscode.Uri.file(copy));
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), first);
  });

  it("are read through the editor's file system without a disk", async () => {
    const files = memoryFiles(new Map([["/harvest.pdf", readFileSync(fixture("harvest.pdf"))]]));
    const registered = vscode.workspace.registerFileSystemProvider("inference-memory", files);
    await run(commands.webParse, vscode.Uri.parse("inference-memory:/harvest.pdf"));
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? "", /^---\nsource: "harvest\.pdf"\n/);
    registered.dispose();
  });

  it("of a folder are found without a search provider", async () => {
    const names = [
      "/docs/a.PDF",
      "/docs/b.txt",
      "/docs/deep/c.docx",
      "/docs/node_modules/d.pdf",
      "/other/e.pdf",
    ];
    const files = memoryFiles(new Map(names.map((name) => [name, new Uint8Array()])));
    const registered = vscode.workspace.registerFileSystemProvider("inference-memory", files);
    const folder = vscode.Uri.parse("inference-memory:/docs");
    const { signal } = new AbortController();
    const found = await filesBelow(folder, { extensions: ["pdf", "docx"], most: 10, signal });
    assert.deepEqual(found.map(({ path }) => path).sort(), ["/docs/a.PDF", "/docs/deep/c.docx"]);
    assert.equal((await filesBelow(folder, { most: 2, signal })).length, 2);
    await assert.rejects(filesBelow(folder, { most: 2, signal: AbortSignal.abort() }), {
      name: "AbortError",
    });
    registered.dispose();
  });

  it("of a folder exclude links, and no text is written through a link", async () => {
    const [elsewhere, workspace] = [join(folder, "home"), join(folder, "workspace")];
    for (const path of [elsewhere, workspace]) mkdirSync(path);
    cpSync(fixture("harvest.pdf"), join(elsewhere, "private.pdf"));
    cpSync(fixture("harvest.docx"), join(workspace, "good.docx"));
    cpSync(fixture("harvest.docx"), join(workspace, "trap.docx"));
    symlinkSync(elsewhere, join(workspace, "more"));
    symlinkSync(join(elsewhere, "private.pdf"), join(workspace, "linked.pdf"));
    symlinkSync(join(elsewhere, "startup.md"), join(workspace, "trap.docx.md"));
    await run(commands.webParseFolder, vscode.Uri.file(workspace), { isAgreed: true });
    assert.deepEqual(readdirSync(elsewhere), ["private.pdf"]);
    assert.match(readFileSync(join(workspace, "good.docx.md"), "utf8"), /^---\nsource: "good\.docx"/);
    const table = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(table, /\| linked\.pdf \| Not sent: a link leads out of this folder/);
    assert.match(table, /\| trap\.docx \| Not sent: trap\.docx\.md already exists/);
  });

  it("of a folder are read once each; a table lists failures", async () => {
    for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx", "scanned.pdf"])
      cpSync(fixture(name), join(folder, name));
    writeFileSync(join(folder, "picture.pdf"), png);
    writeFileSync(join(folder, "notes.txt"), "plain text needs no parser");
    await run(commands.webParseFolder, vscode.Uri.file(folder), { isAgreed: true });
    const written = ["book.xlsx.md", "deck.pptx.md", "harvest.docx.md", "harvest.pdf.md"];
    const texts = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
    assert.deepEqual(texts().sort(), written);
    const table = vscode.window.activeTextEditor?.document;
    assert.equal(table?.uri.scheme, resultScheme);
    assert.match(table.getText(), /\| scanned\.pdf \| .*Scanned pages/);
    assert.match(table.getText(), /\| picture\.pdf \| Not sent: picture\.pdf is a PNG image/);
    const lenses = await run<vscode.CodeLens[]>("vscode.executeCodeLensProvider", table.uri, 5);
    assert.equal(lenses[0]?.command?.command, commands.webRetryFailed);
    const times = () => written.map((name) => statSync(join(folder, name)).mtimeMs);
    const before = times();
    cpSync(fixture("harvest.docx"), join(folder, "later.docx"));
    await run(commands.webParseFolder, vscode.Uri.file(folder), { isAgreed: true });
    assert.deepEqual(texts().sort(), [...written, "later.docx.md"].sort());
    assert.deepEqual(times(), before);
  });

  it("of a folder never replace a file of another file system, even one created meanwhile", async () => {
    const bytes = readFileSync(fixture("harvest.docx"));
    const names = ["fine", "late", "locked"];
    const all = new Map<string, Uint8Array>(names.map((name) => [`/docs/${name}.docx`, bytes]));
    const files = memoryFiles(all);
    const registered = vscode.workspace.registerFileSystemProvider("inference-memory", {
      ...files,
      stat: (uri) => {
        if (uri.path === "/docs/locked.docx.md") throw vscode.FileSystemError.NoPermissions("locked away");
        return files.stat(uri);
      },
      // It is read once it is paid for, long after the check.
      readFile: (uri) => {
        if (uri.path === "/docs/late.docx") all.set("/docs/late.docx.md", Buffer.from("mine"));
        return files.readFile(uri);
      },
      writeFile: ({ path }, content) => void all.set(path, content),
    });
    await run(commands.webParseFolder, vscode.Uri.parse("inference-memory:/docs"), { isAgreed: true });
    registered.dispose();
    const textOf = (name: string) => Buffer.from(all.get(`/docs/${name}.docx.md`) ?? "").toString();
    assert.match(textOf("fine"), /^---\nsource: "fine\.docx"/);
    assert.deepEqual([textOf("late"), textOf("locked")], ["mine", ""]);
    const table = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(table, /\| late\.docx \| .*late\.docx\.md exists now .* its text is in the results view/);
    assert.match(table, /\| locked\.docx \| Not sent: .*locked away/);
    const { globalStorageUri } = await probeContext();
    const results = join(globalStorageUri.fsPath, "..", ourExtension().id, "results");
    const stored = readdirSync(results).filter((name) => name.endsWith(".json"));
    const matching = stored.filter((name) =>
      readFileSync(join(results, name), "utf8").includes('"late.docx"'),
    );
    assert.equal(matching.length, 1);
    assert.match(readFileSync(join(results, String(matching[0]).replace(".json", ".text")), "utf8"), /\S/);
  });

  it("of a folder are not sent if their text would have too long a name", async () => {
    const name = `${"n".repeat(250)}.docx`;
    cpSync(fixture("harvest.docx"), join(folder, name));
    cpSync(fixture("harvest.docx"), join(folder, `${"m".repeat(247)}.docx`));
    await run(commands.webParseFolder, vscode.Uri.file(folder), { isAgreed: true });
    assert.match(readFileSync(join(folder, `${"m".repeat(247)}.docx.md`), "utf8"), /^---\nsource: /);
    const table = vscode.window.activeTextEditor?.document.getText() ?? "";
    assert.match(table, /\| n+\.docx \| Not sent: .*ENAMETOOLONG/);
  });

  it("of a folder never replace a foreign file", async () => {
    cpSync(fixture("harvest.docx"), join(folder, "harvest.docx"));
    writeFileSync(join(folder, "harvest.docx.md"), "mine");
    await run(commands.webParseFolder, vscode.Uri.file(folder), { isAgreed: true });
    assert.equal(readFileSync(join(folder, "harvest.docx.md"), "utf8"), "mine");
    assert.match(
      vscode.window.activeTextEditor?.document.getText() ?? "",
      /harvest\.docx\.md already exists/,
    );
  });
});
