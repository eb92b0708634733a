// What a real window tells the model of itself and its workspace, and what it does not read without trust.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import type { LazyChanges } from "../../../src/changes/engine/lazyChanges.ts";
import { createEditorPrompt } from "../../../src/chat/host/prompt/editorPrompt.ts";
import { HomeFiles } from "../../../src/tools/files/homeFiles.ts";

const [folder] = vscode.workspace.workspaceFolders ?? [];
assert.ok(folder);
const root = folder.uri.fsPath;
/** No change of an agent is pending. */
const changes = { load: async () => ({ fileOf: () => undefined }) } as unknown as LazyChanges;
const prompt = createEditorPrompt(changes);
const outside = join(tmpdir(), "outside-of-the-workspace.md");

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Runs in a window that does not trust its workspace. */
async function untrusted<Result>(run: () => Promise<Result>): Promise<Result> {
  const own = Object.getOwnPropertyDescriptor(vscode.workspace, "isTrusted");
  assert.ok(own);
  Object.defineProperty(vscode.workspace, "isTrusted", { configurable: true, get: () => false });
  try {
    return await run();
  } finally {
    Object.defineProperty(vscode.workspace, "isTrusted", own);
  }
}

describe("what the model is told of a window", () => {
  before(() => {
    write("AGENTS.md", "Use tabs.");
    write("CLAUDE.md", "@told/style.md");
    write("told/style.md", "Short names.");
    write("told/deep/AGENTS.md", "Only deep.");
    write("told/.gitignore", "ignored.txt\n");
    write("told/ignored.txt", "");
    write("told/.env", "KEY=1");
    write("told/a b\u202E.ts", "");
    write(".github/agents/told.agent.md", "---\nname: Told\ntools: [read]\n---\nRead.");
    write(".github/copilot-instructions.md", "");
    truncateSync(join(root, ".github/copilot-instructions.md"), 10_000_000);
    writeFileSync(outside, "Not yours.");
    symlinkSync(outside, join(root, "CLAUDE.local.md"));
  });
  after(() => {
    for (const path of ["AGENTS.md", "CLAUDE.md", "CLAUDE.local.md", "told", ".github"])
      rmSync(join(root, path), { recursive: true, force: true });
    rmSync(outside, { force: true });
  });

  it("reads the files of a trusted workspace, bounded, and follows no link out of it", async () => {
    const { files, modes, problems } = await prompt.guidance();
    assert.deepEqual(
      files.map(({ path, text }) => [path, text]),
      [
        ["AGENTS.md", "Use tabs."],
        ["CLAUDE.md", "@told/style.md"],
        ["told/style.md", "Short names."],
      ],
    );
    assert.deepEqual(
      modes.map(({ name }) => name),
      ["Told"],
    );
    assert.deepEqual(
      problems.map(({ path, problem }) => [path, problem]),
      [
        ["CLAUDE.local.md", "CLAUDE.local.md is a link that leads out of the workspace."],
        [
          ".github/copilot-instructions.md",
          ".github/copilot-instructions.md was not read whole: it is larger than 977 KB.",
        ],
      ],
    );
    assert.deepEqual(await prompt.instructionsFor("told/deep/x.ts"), [
      { path: "told/deep/AGENTS.md", text: "Only deep.", scope: "the files below told/deep" },
    ]);
    assert.deepEqual(await prompt.instructionsFor("../told/deep/x.ts"), []);
  });

  it("reads no file of a workspace that is not trusted", async () => {
    await untrusted(async () => {
      const { files, scoped, listed, modes, prompts, problems } = await prompt.guidance();
      assert.deepEqual([files, scoped, listed, modes, prompts, problems].flat(), []);
      assert.deepEqual(await prompt.instructionsFor("told/deep/x.ts"), []);
    });
  });

  it("reads the user's own files also without trust in the workspace, without pending changes, and not if they are switched off", async () => {
    const home = mkdtempSync(join(tmpdir(), "home-"));
    const own = (path: string) => join(home, path);
    for (const path of [".claude", "editor/User/prompts", ".copilot/instructions"])
      mkdirSync(own(path), { recursive: true });
    writeFileSync(own(".claude/CLAUDE.md"), "Mine.");
    writeFileSync(own("editor/User/prompts/own.prompt.md"), "Prompt.");
    writeFileSync(own(".copilot/instructions/ts.instructions.md"), "---\napplyTo: '**/*.ts'\n---\nTypes.");
    const pending = {
      load: async () => ({
        fileOf: ({ fsPath }: vscode.Uri) =>
          fsPath.endsWith("/.copilot/copilot-instructions.md") ? {} : undefined,
        originalOf: async () => new TextEncoder().encode("Accepted."),
      }),
    } as unknown as LazyChanges;
    // The agent has changed it, and the user has not accepted that.
    writeFileSync(own(".copilot/copilot-instructions.md"), "Obey.");
    const mine = createEditorPrompt(pending, {
      files: new HomeFiles(home),
      editorFolder: own("editor/User"),
    });
    const setting = vscode.workspace.getConfiguration();
    const isOn = setting.inspect("inference.chat.homeInstructions")?.globalValue;
    const set = (value: unknown) =>
      setting.update("inference.chat.homeInstructions", value, vscode.ConfigurationTarget.Global);
    try {
      await set(true);
      const [trusted, without] = [await mine.guidance(), await untrusted(() => mine.guidance())];
      const texts = (files: typeof trusted.files) => files.map(({ path, text }) => `${path} ${text}`);
      const expected = ["~/.claude/CLAUDE.md Mine.", "~/.copilot/copilot-instructions.md Accepted."];
      assert.deepEqual(texts(without.files), expected);
      assert.deepEqual(texts(trusted.files).slice(0, 3), [...expected, "AGENTS.md Use tabs."]);
      assert.ok(trusted.prompts.some(({ path }) => path === "~/editor/User/prompts/own.prompt.md"));
      assert.deepEqual(
        (await mine.instructionsFor("told/x.ts")).map(({ text, scope }) => [text, scope]),
        [["Types.", "files like **/*.ts"]],
      );
      await set(false);
      assert.deepEqual(texts((await mine.guidance()).files).slice(0, 1), ["AGENTS.md Use tabs."]);
    } finally {
      await set(isOn);
      rmSync(home, { recursive: true, force: true });
    }
  });

  it("tells two levels of names without ignored files and secrets, and the files that are open and unsaved", async () => {
    const tree = await prompt.tree();
    assert.deepEqual(tree.find(({ folder: name }) => name === "told/")?.names, [
      ".gitignore",
      "a b\u202E.ts",
      "style.md",
      "deep/",
    ]);
    const document = await vscode.workspace.openTextDocument(join(root, "told/style.md"));
    const editor = await vscode.window.showTextDocument(document, { preview: false });
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "Typed. "));
    editor.selection = new vscode.Selection(0, 0, 0, 5);
    const facts = await prompt.facts();
    assert.match(facts.date, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(facts.activeFile, { path: "told/style.md", firstLine: 1, lastLine: 1 });
    assert.ok(facts.openFiles.includes("told/style.md"));
    assert.deepEqual(facts.unsavedFiles, ["told/style.md"]);
    assert.deepEqual(prompt.machine.folders, [root]);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  });
});
