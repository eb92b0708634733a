// The files that cells name, as their editors have them: a run must not use an older value than the one on the screen.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { EnvironmentFiles } from "../../../src/rpc/editor/environment/environmentFiles.ts";
import { AbiFiles } from "../../../src/rpc/editor/explorer/projects.ts";
import { closeAll, insert } from "../editors.ts";

describe("files of chain notebooks with unsaved text", () => {
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const folder = () => join(root(), "unsaved-inputs");
  const at = (name: string) => vscode.Uri.file(join(folder(), name));
  let notebook: vscode.NotebookDocument;
  before(async () => {
    mkdirSync(folder(), { recursive: true });
    writeFileSync(at("a.rpc.md").fsPath, "# A\n");
    writeFileSync(at("staging.rpc.env").fsPath, "WHO=0x01\n");
    writeFileSync(at("abi.json").fsPath, "[]");
    notebook = await vscode.workspace.openNotebookDocument(at("a.rpc.md"));
  });
  after(async () => {
    await closeAll();
    rmSync(folder(), { recursive: true, force: true });
  });

  it("an environment has the value that its editor shows, saved or not", async () => {
    const state = new Map<string, unknown>();
    const memento: vscode.Memento = {
      keys: () => [...state.keys()],
      get: <Value>(key: string, other?: Value) => (state.get(key) as Value | undefined) ?? other,
      update: async (key: string, value: unknown) => void state.set(key, value),
    };
    const environments = new EnvironmentFiles(memento);
    const valueIn = async (environment: string) => {
      environments.of(notebook, [environment], undefined);
      await environments.refresh(notebook);
      const file = environments.of(notebook, [environment], undefined).files.get(environment);
      return file && "variables" in file ? file.variables.get("WHO")?.value : file?.problem;
    };
    try {
      assert.equal(await valueIn("staging"), "0x01");
      const saved = await vscode.workspace.openTextDocument(at("staging.rpc.env"));
      const changed = new Promise<void>((resolve) => environments.onDidChange(() => resolve()));
      await insert(saved, new vscode.Position(0, 8), "23");
      await changed;
      assert.equal(await valueIn("staging"), "0x0123");
      await saved.save();
      assert.equal(await valueIn("staging"), "0x0123");
      assert.match((await valueIn("fresh")) ?? "", /No file was found/);
      const fresh = at("fresh.rpc.env").with({ scheme: "untitled" });
      await insert(await vscode.workspace.openTextDocument(fresh), new vscode.Position(0, 0), "WHO=0x45\n");
      assert.equal(await valueIn("fresh"), "0x45");
    } finally {
      environments.dispose();
    }
  });

  it("an ABI is the one that its editor shows", async () => {
    const abis = new AbiFiles();
    const read = async () => {
      abis.of(notebook, ["abi.json"]);
      await abis.settled();
      return JSON.stringify(abis.of(notebook, ["abi.json"]).get("abi.json"));
    };
    try {
      const before = await read();
      const item = `{"type":"function","name":"typedOne","inputs":[],"outputs":[],"stateMutability":"view"}`;
      const changed = new Promise<void>((resolve) => abis.onDidChange(() => resolve()));
      await insert(await vscode.workspace.openTextDocument(at("abi.json")), new vscode.Position(0, 1), item);
      await changed;
      assert.notEqual(await read(), before);
      assert.match(await read(), /typedOne/);
    } finally {
      abis.dispose();
    }
  });
});
