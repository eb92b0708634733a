import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import type { GitApi, Repository } from "../../../src/platform/editor/git/gitApi.ts";
import { commands } from "../../../src/shared/names/ids.ts";

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
  const untilBoxHas = async (text: string) => {
    do await vscode.commands.executeCommand("setContext", "inference.testRoundTrip", true);
    while (repository.inputBox.value !== text);
  };
  const type = async (text: string) => {
    repository.inputBox.value = text;
    await untilBoxHas(text);
  };
  const write = () =>
    vscode.commands.executeCommand(commands.editorWriteCommitMessage, { rootUri: repository.rootUri });

  it("describe staged changes without secret files, and can be undone", async () => {
    writeFileSync(join(folder, "a.ts"), "let a = 2;\n");
    writeFileSync(join(folder, "b.ts"), "let b = 1;\n");
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    git("add", ".");
    await type("typed before");
    await write();
    await untilBoxHas("Change 2 files\n\n- a.ts: 1 line more, 1 less\n- b.ts: 1 line more, 0 less");
    await vscode.commands.executeCommand(commands.editorRestoreCommitMessage);
    await untilBoxHas("typed before");
  });

  it("fall back on unstaged changes", async () => {
    git("reset", "--quiet", "--hard");
    writeFileSync(join(folder, "a.ts"), "let a = 3;\n");
    await type("");
    await write();
    await untilBoxHas("Change a.ts");
  });

  it("describe new files, too, without those of secrets", async () => {
    git("checkout", "--quiet", ".");
    writeFileSync(join(folder, "new.ts"), "let x = 1;\nlet y = 2;\n");
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    await type("");
    await write();
    await untilBoxHas("Add new.ts");
    rmSync(join(folder, "new.ts"));
    rmSync(join(folder, ".env"));
  });

  it("leave the box unchanged without changes", async () => {
    git("checkout", "--quiet", ".");
    await type("typed");
    await write();
    await untilBoxHas("typed");
  });
});
