// Features of RPC notebooks that need nothing else in their window, one suite after the other.
import { describe } from "node:test";
import { abiFiles, abiTests } from "./rpcAbi.ts";
import { checkFiles, checkTests } from "./rpcChecks.ts";
import { environmentFiles, environmentTests } from "./rpcEnvironments.ts";
import { simulationFiles, simulationTests } from "./rpcSimulation.ts";
import { tableFiles, tableTests } from "./rpcTables.ts";
import { foreignFiles, foreignTests } from "./rpcTrust.ts";
import { openRpcWindow } from "./rpcWindow.ts";

describe("RPC notebooks in one window", () => {
  const files = {
    ...simulationFiles,
    ...foreignFiles,
    ...tableFiles,
    ...abiFiles,
    ...environmentFiles,
    ...checkFiles,
  };
  // A run of the checks costs more than this, each cell of all files less.
  const settings = { "inference.sandbox.autoStart": true, "inference.rpc.askAboveCredits": 50 };
  const window = openRpcWindow("rpc-features", settings, files);

  describe("transactions of RPC notebooks", () => simulationTests(window));
  describe("a foreign RPC notebook", () => foreignTests(window));
  describe("a table of logs", () => tableTests(window));
  describe("contracts without a known ABI", () => abiTests(window));
  // It asserts what was spent on this day, so it comes before the checks, which spend more.
  describe("environments of RPC notebooks", () => environmentTests(window));
  describe("expectations of RPC notebooks", () => checkTests(window));
});
