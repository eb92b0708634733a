// Variables of an environment in `expect` lines.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { toOutput } from "../../../../../src/rpc/run/output.ts";
import { type Bench, environmentsOf, openBench, projectOf } from "../../notebook.ts";

let bench: Bench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

const key = `0x${"ab".repeat(32)}`;
const file = `CHAIN=0x1\nLEAST=1\nMANY=5 gwei\nNAME=Wrong\nPRIVATE_KEY=${key}`;

function notebook(...lines: readonly string[]) {
  const cell = ["@env staging", "id = eth_chainId", ...lines].join("\n");
  return { ...projectOf([cell]), environments: environmentsOf({ staging: file }) };
}

async function states(...lines: readonly string[]) {
  const run = await bench.run(notebook(...lines));
  const output = toOutput(run, { runId: "1", evm, service: "S", isSandbox: true });
  assert.doesNotMatch(JSON.stringify(output), /abab/);
  return (output.expectations ?? []).map(({ state }) => state);
}

test("results are compared with them, with and without a unit", async () => {
  const found = await states(
    "expect $id == {{CHAIN}}",
    "expect $id >= {{LEAST}}",
    "expect $id < {{LEAST}} gwei",
    "expect $id < {{MANY}}",
    "expect $id == {{NAME}}",
  );
  assert.deepEqual(found, ["passed", "passed", "passed", "passed", "failed"]);
});

test("a secret can't be compared, because results don't contain it", async () => {
  assert.deepEqual(await states("expect $id == {{PRIVATE_KEY}}"), ["broken"]);
  assert.deepEqual(await states("expect $id == str({{PRIVATE_KEY}})"), ["failed"]);
});

test("an unknown one stops the cell, once", () => {
  const found = diagnose(notebook("expect $id == {{NO}}", "expect $id == str({{NO}})"), 0, evm);
  assert.deepEqual(
    found.map(({ code, refuses }) => [code, refuses]),
    [
      ["variable", true],
      ["variable", true],
    ],
  );
});
