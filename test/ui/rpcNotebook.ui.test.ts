// RPC notebooks against the sandbox: their results, their files and their cells.
import { after, before, describe } from "node:test";
import { cellFiles, cellTests } from "./rpcCells.ts";
import { editedFiles, editingTests } from "./rpcEditing.ts";
import { resultFiles, resultTests } from "./rpcResults.ts";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("RPC notebooks", () => {
  let workbench: Workbench;
  before(async () => {
    const settings = { "inference.sandbox.autoStart": true, "inference.rpc.askAboveCredits": 100 };
    const files = { ...resultFiles, ...editedFiles, ...cellFiles };
    workbench = await openWorkbench("rpc-notebook", settings, {}, files);
  });
  after(() => workbench.close());

  describe("results", () => resultTests(() => workbench));
  describe("editing", () => editingTests(() => workbench));
  describe("cells", () => cellTests(() => workbench));
});
