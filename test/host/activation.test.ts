import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commands, views } from "../../src/shared/names/ids.ts";
import { ourExtension } from "./extensions.ts";

describe("activation", () => {
  it("needs no command", async () => {
    await ourExtension().activate();
    assert.equal(ourExtension().isActive, true);
  });

  it("registers every command of ids.ts", async () => {
    await ourExtension().activate();
    assert.deepEqual(await missing(Object.values(commands)), []);
  });

  it("registers its views in the side bar", async () => {
    const focus = [views.welcome, views.chat].map((view) => `${view}.focus`);
    assert.deepEqual(await missing([...focus, `workbench.view.extension.${views.container}`]), []);
  });
});

async function missing(expected: readonly string[]): Promise<string[]> {
  const registered = new Set(await vscode.commands.getCommands());
  return expected.filter((command) => !registered.has(command));
}
