import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { GitApi, Repository } from "../../src/features/editor/gitApi.ts";
import { commands, editScheme, settings } from "../../src/shared/ids.ts";

const code = "function greet(name) {\n  return name;\n}\n\nlet other = 1;\n";
const rename = "Rename `greet` to `hello`.";

describe("edits", () => {
  before(async () => {
    await vscode.workspace.getConfiguration().update(settings.sandboxTokensPerSecond, 100_000, true);
    await vscode.commands.executeCommand(commands.connectionUseSandbox);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.getConfiguration().update(settings.sandboxTokensPerSecond, undefined, true);
  });
  afterEach(closeAll);

  it("open a diff, change nothing until accepted, and are undone in one step", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    assert.equal(editor.document.getText(), code);
    await sideIs("after", code.replace("greet", "hello"));
    await sideIs("before", code);
    await vscode.commands.executeCommand(commands.editAccept);
    assert.equal(editor.document.getText(), code.replace("greet", "hello"));
    await until(() => !diffTab());
    await until(() => vscode.window.activeTextEditor?.document === editor.document);
    await vscode.commands.executeCommand("type", { text: ";" });
    const typed = `${code.replace("greet", "hello").replace("}\n", "};\n")}`;
    assert.equal(editor.document.getText(), typed);
    await vscode.commands.executeCommand("undo");
    await vscode.commands.executeCommand("undo");
    assert.equal(editor.document.getText(), code);
  });

  it("follow their text while the document changes elsewhere", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    await insert(editor.document, new vscode.Position(0, 0), "// first\n");
    await vscode.commands.executeCommand(commands.editAccept);
    assert.equal(editor.document.getText(), `// first\n${code.replace("greet", "hello")}`);
  });

  it("are not applied once their own text has changed, and can still be compared", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    await insert(editor.document, new vscode.Position(1, 2), "/* mine */ ");
    const changed = editor.document.getText();
    await vscode.commands.executeCommand(commands.editAccept);
    await sideIs("before", changed);
    assert.equal(editor.document.getText(), changed);
    assert.ok(diffTab());
    await ask(commands.editAgain, rename);
    await vscode.commands.executeCommand(commands.editAccept);
    assert.equal(editor.document.getText(), changed.replace("greet", "hello"));
  });

  it("are accepted hunk by hunk, each an undo step, and close with the last one", async () => {
    const two = `${code}\ngreet(1);\n\n\n\ngreet(2);\n`;
    const editor = await open(two);
    editor.selection = new vscode.Selection(0, 0, 11, 0);
    await ask(commands.editorEdit, rename);
    const all = two.replaceAll("greet", "hello");
    await sideIs("after", all);
    await cursorAt(5);
    await vscode.commands.executeCommand(commands.editRejectHunk);
    await sideIs("after", all.replace("hello(1)", "greet(1)"));
    await cursorAt(9);
    await vscode.commands.executeCommand(commands.editAcceptHunk);
    const first = two.replace("greet(2)", "hello(2)");
    assert.equal(editor.document.getText(), first);
    await sideIs("before", first);
    assert.ok(diffTab(), "there is another hunk");
    await insert(editor.document, new vscode.Position(0, 0), "// first\n");
    await cursorAt(1);
    await vscode.commands.executeCommand(commands.editAcceptHunk);
    await until(() => !diffTab());
    await until(() => vscode.window.activeTextEditor?.document === editor.document);
    assert.equal(editor.document.getText(), `// first\n${first.replace("greet", "hello")}`);
    for (const earlier of [`// first\n${first}`, first, two]) {
      await vscode.commands.executeCommand("undo");
      assert.equal(editor.document.getText(), earlier);
    }
  });

  it("close once every hunk is rejected; an undone hunk can be accepted again", async () => {
    const two = `${code}\ngreet(1);\n`;
    const editor = await open(two);
    editor.selection = new vscode.Selection(0, 0, 7, 0);
    await ask(commands.editorEdit, rename);
    await cursorAt(5);
    await vscode.commands.executeCommand(commands.editAcceptHunk);
    await replace(editor.document, two);
    await cursorAt(5);
    await vscode.commands.executeCommand(commands.editAcceptHunk);
    assert.equal(editor.document.getText(), two.replace("greet(1)", "hello(1)"));
    await cursorAt(0);
    await vscode.commands.executeCommand(commands.editRejectHunk);
    await until(() => !diffTab());
    assert.equal(editor.document.getText(), two.replace("greet(1)", "hello(1)"));
  });

  it("are discarded when rejected or when their tab is closed", async () => {
    const editor = await open(code);
    for (const leave of [commands.editReject, "workbench.action.closeActiveEditor"]) {
      // The diff covered the document, which is shown in a new editor now.
      const shown = await vscode.window.showTextDocument(editor.document);
      shown.selection = new vscode.Selection(0, 0, 2, 1);
      await ask(commands.editorEdit, rename);
      await vscode.commands.executeCommand(leave);
      await until(() => !diffTab());
      await vscode.commands.executeCommand(commands.editAccept);
      assert.equal(editor.document.getText(), code);
    }
  });

  it("keep the document's indentation and line ends, and need no selection", async () => {
    const windows = "class A {\r\n  one() {\r\n    var a = 1;\r\n  }\r\n}\r\n";
    const editor = await open(windows);
    editor.selection = new vscode.Selection(2, 6, 2, 6);
    await ask(commands.editorFix);
    await vscode.commands.executeCommand(commands.editAccept);
    assert.equal(editor.document.getText(), windows.replace("var", "let"));
  });

  it("work in cells of a notebook", async () => {
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, code, "javascript");
    const notebook = await vscode.workspace.openNotebookDocument(
      "jupyter-notebook",
      new vscode.NotebookData([cell]),
    );
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand("notebook.cell.edit");
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === "vscode-notebook-cell");
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    await vscode.commands.executeCommand(commands.editAccept);
    assert.equal(notebook.cellAt(0).document.getText(), code.replace("greet", "hello"));
  });

  it("refuse a selection over the size limit", async () => {
    const long = "a".repeat(60_001);
    const editor = await open(long);
    editor.selection = new vscode.Selection(0, 0, 0, long.length);
    await vscode.commands.executeCommand(commands.editorEdit, rename);
    await until(() => !diffTab());
    assert.equal(editor.document.getText(), long);
  });
});

describe("the light bulb", () => {
  afterEach(closeAll);

  it("offers all actions for a selection, and no action without one", async () => {
    const { document } = await open(code);
    const titles = async (range: vscode.Range) =>
      (
        await vscode.commands.executeCommand<vscode.CodeAction[]>(
          "vscode.executeCodeActionProvider",
          document.uri,
          range,
        )
      )
        .map(({ title }) => title)
        .filter((title) => title.includes("Inference"));
    assert.deepEqual(await titles(new vscode.Range(0, 0, 2, 1)), [
      "Ask Inference…",
      "Explain with Inference",
      "Fix with Inference",
      "Write Tests with Inference",
      "Document with Inference",
      "Edit with Inference…",
    ]);
    assert.deepEqual(await titles(new vscode.Range(0, 3, 0, 3)), []);
    const problems = vscode.languages.createDiagnosticCollection("test");
    problems.set(document.uri, [new vscode.Diagnostic(new vscode.Range(0, 0, 0, 8), "wrong")]);
    assert.deepEqual(await titles(new vscode.Range(0, 3, 0, 3)), ["Fix with Inference"]);
    problems.dispose();
  });
});

describe("commit messages", () => {
  let folder: string;
  let repository: Repository;
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args]);
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "inference-git-"));
    git("init", "--quiet");
    git("config", "user.email", "test@example.com");
    git("config", "user.name", "Test");
    writeFileSync(join(folder, "a.ts"), "let a = 1;\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "Begin");
    const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>("vscode.git");
    const api = (await extension?.activate())?.getAPI(1);
    const opened = await api?.openRepository?.(vscode.Uri.file(folder));
    assert.ok(opened);
    repository = opened;
    await vscode.commands.executeCommand(commands.connectionUseSandbox);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));
  /** No event reports a change of the input box. The window answers a command after earlier messages, so this synchronizes. */
  const boxHolds = async (text: string) => {
    do await vscode.commands.executeCommand("setContext", "inference.testRoundTrip", true);
    while (repository.inputBox.value !== text);
  };
  const type = async (text: string) => {
    repository.inputBox.value = text;
    await boxHolds(text);
  };
  const write = () => vscode.commands.executeCommand(commands.commitMessage, { rootUri: repository.rootUri });

  it("describe staged changes without secret files, and can be undone", async () => {
    writeFileSync(join(folder, "a.ts"), "let a = 2;\n");
    writeFileSync(join(folder, "b.ts"), "let b = 1;\n");
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    git("add", ".");
    await type("typed before");
    await write();
    await boxHolds("Change 2 files\n\n- a.ts: 1 lines more, 1 less\n- b.ts: 1 lines more, 0 less");
    await vscode.commands.executeCommand(commands.commitRestore);
    await boxHolds("typed before");
  });

  it("fall back on unstaged changes", async () => {
    git("reset", "--quiet", "--hard");
    writeFileSync(join(folder, "a.ts"), "let a = 3;\n");
    await type("");
    await write();
    await boxHolds("Change a.ts");
  });

  it("leave the box unchanged without changes", async () => {
    git("checkout", "--quiet", ".");
    await type("typed");
    await write();
    await boxHolds("typed");
  });
});

let files: string;
let opened = 0;
before(() => {
  files = mkdtempSync(join(tmpdir(), "inference-edit-"));
});
after(() => rmSync(files, { recursive: true, force: true }));

/**
 * Opens a new file each time: an untitled document gets the name of the last closed one, and for a moment also
 * its text.
 */
async function open(content: string): Promise<vscode.TextEditor> {
  opened += 1;
  const path = join(files, `${opened}.js`);
  writeFileSync(path, content);
  const document = await vscode.workspace.openTextDocument(path);
  return vscode.window.showTextDocument(document, { preview: false });
}

async function insert(document: vscode.TextDocument, at: vscode.Position, text: string): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, at, text);
  assert.ok(await vscode.workspace.applyEdit(change));
}

/** Changes the document as undoing an accepted hunk does. */
async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const at = document.positionAt(document.getText().indexOf("hello(1)"));
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(at, at.translate(0, 5)), "greet");
  assert.ok(await vscode.workspace.applyEdit(change));
  assert.equal(document.getText(), text);
}

/** Puts the cursor into the new side of the active diff. */
async function cursorAt(line: number): Promise<void> {
  const isNew = () => vscode.window.activeTextEditor?.document.uri.path.includes("/after/") === true;
  await until(isNew);
  const at = new vscode.Position(line, 0);
  if (vscode.window.activeTextEditor) vscode.window.activeTextEditor.selection = new vscode.Selection(at, at);
}

/** Requests an edit. Resolves once its diff is active, which this window may learn after the command has ended. */
async function ask(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
  await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input === (diffTab() ?? null));
}

function diffTab(): vscode.TabInputTextDiff | undefined {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return inputs.find(
    (input): input is vscode.TabInputTextDiff =>
      input instanceof vscode.TabInputTextDiff && input.modified.scheme === editScheme,
  );
}

/** Waits until a side of the open diff has this text. */
async function sideIs(side: "before" | "after", text: string): Promise<void> {
  const tab = diffTab();
  assert.ok(tab);
  const uri = side === "before" ? tab.original : tab.modified;
  const { getText } = await vscode.workspace.openTextDocument(uri);
  await until(() => getText() === text);
}

/** Resolves once the condition holds; checked after each change of a document, an editor, the tabs or their groups. */
async function until(isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (!isSo()) return;
      listening.dispose();
      resolve();
    };
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(look),
      vscode.window.onDidChangeActiveTextEditor(look),
      vscode.window.tabGroups.onDidChangeTabs(look),
      // If the editor sends all tabs again, this is the only event.
      vscode.window.tabGroups.onDidChangeTabGroups(look),
    );
  });
}

/** Closes all editors without the prompt to save. */
async function closeAll(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}
