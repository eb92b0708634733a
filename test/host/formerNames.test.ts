import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import * as vscode from "vscode";
import { moveFormerSettings } from "../../src/platform/editor/commands/formerNames.ts";
import { formerCommands, formerSettings } from "../../src/shared/names/formerNames.ts";
import { commands, settings } from "../../src/shared/names/ids.ts";
import { until } from "./editors.ts";
import { ourExtension } from "./extensions.ts";

describe("former names", () => {
  before(async () => {
    await ourExtension().activate();
    // They are registered in the turn after the activation.
    await setImmediate();
  });

  it("of commands are registered", async () => {
    const registered = new Set(await vscode.commands.getCommands());
    for (const former of Object.values(formerCommands).flatMap((ids) => ids.split(" ")))
      assert.ok(registered.has(former), former);
  });

  it("of commands run them, as a key binding does", async () => {
    await vscode.commands.executeCommand(formerCommands[commands.accountOpenDashboard] ?? assert.fail());
    // The list of tabs follows the panel.
    await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label === "Inference Usage");
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
  });

  it("of settings move with their values in the user's file", async () => {
    const id = settings.webSearchLimit;
    const former = formerSettings[id] ?? assert.fail();
    const valuesOf = () =>
      [former, id].map((name) => vscode.workspace.getConfiguration().inspect(name)?.globalValue);
    await vscode.workspace.getConfiguration().update(former, 7, vscode.ConfigurationTarget.Global);
    assert.deepEqual(valuesOf(), [7, undefined]);
    const lines: string[] = [];
    const note = (text: string) => lines.push(text);
    try {
      await moveFormerSettings({ info: note, warn: note });
      assert.deepEqual(valuesOf(), [undefined, 7]);
      assert.deepEqual(lines, [`Settings have new names: ${former} → ${id}`]);
    } finally {
      await vscode.workspace.getConfiguration().update(id, undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
