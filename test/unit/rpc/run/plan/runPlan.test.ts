// The plan of a run holds all that the run needs of its notebook.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { encodeRequest } from "../../../../../src/rpc/language/encode/encodeRequest.ts";
import { readEnvFile } from "../../../../../src/rpc/language/environment/envFile.ts";
import type { Project } from "../../../../../src/rpc/language/project.ts";
import { Values } from "../../../../../src/rpc/run/expect/values.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planCellRun, planRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { environmentsOf, projectOf } from "../../notebook.ts";

/** A notebook of which nothing can be read once it is closed. */
function closable(project: Project): { readonly project: Project; close(): void } {
  let isOpen = true;
  const proxied = new Proxy(project, {
    get(target, key, receiver) {
      assert.ok(isOpen, `${String(key)} was read after the plan`);
      return Reflect.get(target, key, receiver);
    },
  });
  return {
    project: proxied,
    close: () => {
      isOpen = false;
    },
  };
}

describe("the plan of a run", () => {
  test("a line is encoded with the plan only if every run would encode it so", () => {
    const lines = [
      ['eth_getBalance 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045 "latest"', true],
      ["eth_getBlockByNumber 17 false", true],
      ['eth_call { to: 0x0000000000000000000000000000000000000001, value: 2 gwei } "latest"', true],
      ["a = eth_blockNumber", true],
      ["eth_getBlockByNumber $a false", false],
      ["b = 17", undefined],
      ["eth_getBlockByNumber $b false", false],
      ["eth_getBlockByNumber -5 false", false],
      ["eth_getBalance vitalik.eth", false],
      ["call 0x0000000000000000000000000000000000000001 total()(uint256)", false],
      ['eth_call { data: keccak("x") }', false],
      ["eth_getBlockByNumber {{N}} false", undefined],
    ] as const;
    const text = lines.map(([line]) => line).join("\n");
    const environments = environmentsOf({ e: "N=17" }, { chosen: "e" });
    const plan = planCellRun({ ...projectOf([text]), environments }, 0);
    const names = new Map([["vitalik.eth", "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"]]);
    const contexts = plan.notebook.contexts({ evm, head: 99n, names, resultOf: () => ({ result: "0x5" }) });
    for (const { written, line, statement } of plan.lines) {
      if (written.form !== "line") assert.fail("a line");
      const [source, isEncoded] = lines[line] ?? [];
      if (isEncoded !== undefined) assert.equal(written.encoded !== undefined, isEncoded, source);
      if (!written.encoded) continue;
      assert.deepEqual(encodeRequest(written.request, contexts(0, statement)), written.encoded, source);
    }
  });

  test("a run reads nothing of its notebook that an edit could change", () => {
    const { project, close } = closable(
      projectOf(["@view table\n@every 2s\na = eth_chainId\nexpect $a == 0x1"]),
    );
    const plan = planCellRun(project, 0);
    close();
    const { networks, polling, view, lines, expectations } = plan;
    assert.deepEqual([networks, polling?.everyMs, view], [["ethereum-mainnet"], 2000, "table"]);
    assert.equal(lines[0]?.definition?.text, "a");
    assert.equal(expectations[0]?.expectation.operator.text, "==");
    assert.deepEqual(plan.notebook.declared, []);
  });

  test("a run has the cells whose results it lacks, once each and in order", () => {
    const project = projectOf([
      "a = eth_chainId",
      "b = eth_getBlockByNumber $a false",
      "eth_getCode $b $a",
      "eth_syncing",
    ]);
    const values = new Values();
    const cells = (requested: readonly number[]) =>
      planRun(project, requested, values).map(({ cell }) => cell);
    assert.deepEqual(cells([2]), [0, 1, 2]);
    assert.deepEqual(cells([3, 2, 2]), [0, 1, 2, 3]);
    const [a] = planCellRun(project, 0).lines;
    const name = planCellRun(project, 0).notebook.storedAs(a?.definition ?? assert.fail());
    values.set(name, "ethereum-mainnet", "0x1");
    assert.deepEqual(cells([1]), [1]);
  });

  test("a cell that is not there has an empty plan", () => {
    const { networks, lines, calls } = planCell(projectOf([]), 3);
    assert.deepEqual([networks, lines, calls], [[], [], []]);
  });

  test("the secrets of all environments are hidden, chosen or not", () => {
    const environments = environmentsOf(
      {},
      {
        files: new Map([["e", readEnvFile("API_KEY=abcdefghij", "e.rpc.env", "file:///e.rpc.env")]]),
      },
    );
    const { hide } = planCellRun({ ...projectOf(["eth_chainId"]), environments }, 0).notebook;
    assert.equal(hide?.("x abcdefghij y"), "x *** y");
  });
});
