import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands, settings } from "../../../src/shared/names/ids.ts";
import { type ModelServer, startModelServer } from "../../unit/sandbox/modelServer.ts";
import {
  ask,
  closeAll,
  code,
  cursorAt,
  diffTab,
  insert,
  open,
  replace,
  sideIs,
  until,
  useFiles,
} from "../editors.ts";

const rename = "Rename `greet` to `hello`.";

/** The function of `code`. */
const selected = code.slice(0, code.indexOf("}") + 2);

const leaveOut = "Leave out the body.";

/** The text that an edit quotes last, with the name replaced; without a name, `var`. */
function editedText(question: string): readonly string[] {
  if (question.startsWith(leaveOut))
    return ["```\n", selected.replace("return name;", "// ... existing code ..."), "```"];
  const [, from = "var", to = "let"] = /^Rename `(\w+)` to `(\w+)`/.exec(question) ?? [];
  const [, text = ""] = /```\w*\n((?:(?!```)[\s\S])*)```$/.exec(question) ?? [];
  return ["```\n", text.replaceAll(from, to), "```"];
}

describe("edits", () => {
  let models: ModelServer;
  useFiles();
  before(async () => {
    models = await startModelServer();
    Object.assign(models, { models: ["coder:7b"], script: { words: editedText } });
    await vscode.workspace.getConfiguration().update(settings.sandboxModelServers, [models.url], true);
    await vscode.commands.executeCommand(commands.connectionUseLocalModel);
  });
  after(async () => {
    await closeAll();
    await vscode.workspace.getConfiguration().update(settings.sandboxModelServers, undefined, true);
    await models.close();
  });
  afterEach(closeAll);

  it("open a diff, change nothing until accepted, and are undone in one step", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    assert.equal(editor.document.getText(), code);
    await sideIs("after", code.replace("greet", "hello"));
    await sideIs("before", code);
    await vscode.commands.executeCommand(commands.changesAcceptFile);
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

  it("that leave out code by a comment ask before they are accepted", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, leaveOut);
    const { showWarningMessage } = vscode.window;
    const questions: string[] = [];
    let answer: string | undefined;
    const show = async (message: string, { detail }: vscode.MessageOptions) => {
      questions.push(`${message} ${detail}`);
      return answer;
    };
    try {
      Object.assign(vscode.window, { showWarningMessage: show });
      await vscode.commands.executeCommand(commands.changesAcceptFile);
      assert.equal(editor.document.getText(), code);
      assert.match(questions.join(), /leaves out code.*“\/\/ \.\.\. existing code \.\.\.” in line 2/);
      answer = "Accept and Delete It";
      await vscode.commands.executeCommand(commands.changesAcceptFile);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
    assert.equal(editor.document.getText(), code.replace("return name;", "// ... existing code ..."));
  });

  it("follow their text while the document changes elsewhere", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    await insert(editor.document, new vscode.Position(0, 0), "// first\n");
    await vscode.commands.executeCommand(commands.changesAcceptFile);
    assert.equal(editor.document.getText(), `// first\n${code.replace("greet", "hello")}`);
  });

  it("are not applied once their own text has changed, and can still be compared", async () => {
    const editor = await open(code);
    editor.selection = new vscode.Selection(0, 0, 2, 1);
    await ask(commands.editorEdit, rename);
    await insert(editor.document, new vscode.Position(1, 2), "/* mine */ ");
    const changed = editor.document.getText();
    await vscode.commands.executeCommand(commands.changesAcceptFile);
    await sideIs("before", changed);
    assert.equal(editor.document.getText(), changed);
    assert.ok(diffTab());
    await ask(commands.editorRepeatEdit, rename);
    await vscode.commands.executeCommand(commands.changesAcceptFile);
    assert.equal(editor.document.getText(), changed.replace("greet", "hello"));
  });

  it("are accepted hunk by hunk, each an undo step, and close with the last one", async () => {
    const two = `${code}\ngreet(1);\n\n\n\ngreet(2);\n`;
    const editor = await open(two);
    editor.selection = new vscode.Selection(0, 0, 11, 0);
    await ask(commands.editorEdit, rename);
    const all = two.replaceAll("greet", "hello");
    await sideIs("after", all);
    await cursorAt(6);
    await vscode.commands.executeCommand(commands.changesRejectHunk);
    await sideIs("after", all.replace("hello(1)", "greet(1)"));
    await cursorAt(10);
    await vscode.commands.executeCommand(commands.changesAcceptHunk);
    const first = two.replace("greet(2)", "hello(2)");
    assert.equal(editor.document.getText(), first);
    await sideIs("before", first);
    assert.ok(diffTab(), "there is another hunk");
    await insert(editor.document, new vscode.Position(0, 0), "// first\n");
    await cursorAt(1);
    await vscode.commands.executeCommand(commands.changesAcceptHunk);
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
    await cursorAt(6);
    await vscode.commands.executeCommand(commands.changesAcceptHunk);
    await replace(editor.document, two);
    await cursorAt(6);
    await vscode.commands.executeCommand(commands.changesAcceptHunk);
    assert.equal(editor.document.getText(), two.replace("greet(1)", "hello(1)"));
    await cursorAt(0);
    await vscode.commands.executeCommand(commands.changesRejectHunk);
    await until(() => !diffTab());
    assert.equal(editor.document.getText(), two.replace("greet(1)", "hello(1)"));
  });

  it("are discarded when rejected or when their tab is closed", async () => {
    const editor = await open(code);
    for (const leave of [commands.changesRejectFile, "workbench.action.closeActiveEditor"]) {
      // The diff covered the document, which is shown in a new editor now.
      const shown = await vscode.window.showTextDocument(editor.document);
      shown.selection = new vscode.Selection(0, 0, 2, 1);
      await ask(commands.editorEdit, rename);
      await vscode.commands.executeCommand(leave);
      await until(() => !diffTab());
      await vscode.commands.executeCommand(commands.changesAcceptFile);
      assert.equal(editor.document.getText(), code);
    }
  });

  it("keep the document's indentation and line ends, and need no selection", async () => {
    const windows = "class A {\r\n  one() {\r\n    var a = 1;\r\n  }\r\n}\r\n";
    const editor = await open(windows);
    editor.selection = new vscode.Selection(2, 6, 2, 6);
    await ask(commands.editorFix);
    await vscode.commands.executeCommand(commands.changesAcceptFile);
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
    await vscode.commands.executeCommand(commands.changesAcceptFile);
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
