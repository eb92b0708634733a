// A cell with an error in its text has no price, neither in the sum of the notebook nor after its lines.
import assert from "node:assert/strict";
import { test } from "node:test";
import { notebookSum, priceHints } from "../../../../src/rpc/editor/notebookSum.ts";
import { projectOf } from "../notebook.ts";

const price = { now: () => [0.000001, 0.000002] as const, unit: {} };
const sumOf = (...cells: readonly string[]) => notebookSum(projectOf(cells, ["base-mainnet"]), price);

test("the sum is that of the cells that can be run; without one it says so, and is not free", () => {
  assert.equal(
    sumOf("eth_chainId", "eth_chainId (", "eth_getBalance $nobody latest").runAll,
    "Run all: 20 credits",
  );
  const broken = sumOf("eth_chainId (", "eth_getBalance $nobody latest", "@network nowhere\neth_chainId");
  assert.deepEqual(broken, {
    runAll: "Run all: no cell can be run",
    cost: "Each cell has an error in its text.",
  });
  // Errors do not hide behind a cell that costs nothing.
  assert.equal(sumOf("@network local\neth_chainId", "eth_chainId (").runAll, "Run all: free");
  assert.equal(sumOf("@network local\neth_chainId (").runAll, broken.runAll);
  assert.equal(sumOf().runAll, "Run all: free");
});

test("lines have their prices, unless one of them has an error", () => {
  const hintsOf = (text: string) =>
    priceHints(projectOf([text], ["base-mainnet"]), 0).map(({ text: hint }) => hint.trim());
  const lines = "eth_chainId\ntrace_block latest";
  assert.deepEqual(hintsOf(lines), ["20 credits", "40 credits"]);
  for (const broken of ["eth_getBalance $nobody latest", "eth_chainId (", "@network nowhere", "eth_nothing"])
    assert.deepEqual(hintsOf(`${lines}\n${broken}`), [], broken);
});
