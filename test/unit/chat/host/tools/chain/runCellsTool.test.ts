// An agent runs cells of a chain notebook: the card says price and effects before, what may change a chain asks each time,
// and what runs is what the card showed.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  type CellResult,
  type ChainNotebooks,
  createRunCellsTool,
} from "../../../../../../src/chat/host/tools/chain/runCellsTool.ts";
import type { CallContext } from "../../../../../../src/chat/host/tools/tool.ts";

import { estimateTokens } from "../../../../../../src/shared/chat/tokenEstimate.ts";

const path = "checks.rpc.md";
const context = {} as CallContext;
const { signal } = new AbortController();

function toolFor(cells: readonly (string | undefined)[], networks: readonly string[] = ["base-mainnet"]) {
  const texts = [...cells];
  const ran: unknown[] = [];
  let results: readonly CellResult[] | undefined;
  const shown = () => ({
    networks,
    cells: texts.map((text) => (text === undefined ? {} : { request: { text, facts: {} } })),
  });
  let isOpen = false;
  const notebooks: ChainNotebooks = {
    async open() {
      isOpen = true;
      return shown();
    },
    opened: () => (isOpen ? shown() : undefined),
    async run(_path, indexes, simulates) {
      ran.push([indexes, simulates]);
      return results ?? indexes.map((index) => ({ isFine: true, text: `result of ${index}` }));
    },
  };
  return {
    tool: createRunCellsTool(notebooks),
    texts,
    ran,
    answer: (given: readonly CellResult[]) => {
      results = given;
    },
  };
}

test("its description costs a request at most 150 tokens", () => {
  const { name, description, parameters } = toolFor([]).tool;
  const tokens = estimateTokens(
    JSON.stringify({ type: "function", function: { name, description, parameters } }),
  );
  assert.ok(tokens <= 150, String(tokens));
});

const send = "eth_sendTransaction { from: $me, to: $me }";
const me = `me = 0x${"a1".repeat(20)}`;

describe("the card of a run of cells", () => {
  const cards: readonly (readonly [
    title: string,
    cells: readonly (string | undefined)[],
    input: object,
    words: RegExp,
    asks: boolean,
  ])[] = [
    [
      "says the price",
      ["eth_chainId\neth_gasPrice"],
      {},
      /^Run all cells of checks\.rpc\.md: at most 40 credits$/,
      false,
    ],
    ["says what is free", ["@network local\neth_chainId"], {}, /: free$/, false],
    [
      "counts the cells whose results are needed",
      [undefined, "b = eth_blockNumber", "eth_getBlockByNumber $b false"],
      { cells: [3] },
      /^Run cell 3 of .*: at most 40 credits$/,
      false,
    ],
    ["has all rounds", ["@every 6s\n@times 5\neth_chainId"], {}, /at most 100 credits/, false],
    ["can't bound what waits", ["wait 0xab"], {}, /at least 20 credits/, false],
    [
      "names what may change a chain, on a node of this machine too",
      [`@network local\n${me}\n${send}`],
      {},
      /free\. It may change a chain: eth_sendTransaction$/,
      true,
    ],
    [
      "names a method that nobody has described",
      ["@network local\nanvil_setNextBlock 1"],
      {},
      /It may change a chain: anvil_setNextBlock/,
      true,
    ],
    [
      "of a simulation changes nothing",
      [`@network local\n${me}\n${send}`],
      { simulate: true },
      /^Simulate .*: free$/,
      false,
    ],
    [
      "says that a network is not known",
      ["@network {{NET}}\neth_chainId"],
      {},
      /its price is known when it runs/,
      false,
    ],
  ];
  for (const [title, cells, given, words, asks] of cards)
    test(title, async () => {
      const { tool } = toolFor(cells);
      const input = { path, ...given };
      // Before the notebook is open nothing is known of it.
      assert.equal(tool.alwaysAsks?.(input), true);
      await tool.prepare?.(input);
      assert.match(tool.summary(input), words);
      assert.equal(tool.alwaysAsks?.(input), asks);
      assert.deepEqual(tool.scopes?.(input), asks ? [] : ["cells that only read"]);
    });
});

describe("a run of cells", () => {
  test("gives the result of each cell with its end", async () => {
    const { tool, ran, answer } = toolFor(["eth_chainId", undefined, "eth_gasPrice", "eth_blockNumber"]);
    answer([
      { isFine: true, text: "eth_chainId  8453" },
      { isFine: false, text: "error 3: reverted" },
      { isFine: undefined, text: "" },
    ]);
    const input = { path };
    await tool.prepare?.(input);
    assert.equal(
      await tool.run?.(input, signal, context),
      "1 cell passed, 1 failed, 1 not run.\n\n[cell 1] passed\neth_chainId  8453\n\n[cell 3] failed\nerror 3: reverted\n\n[cell 4] not run",
    );
    assert.deepEqual(ran, [[[0, 2, 3], false]]);
  });

  test("is bounded, and says how much is missing", async () => {
    const { tool, answer } = toolFor(Array.from({ length: 12 }, () => "eth_chainId"));
    answer(Array.from({ length: 12 }, () => ({ isFine: true, text: "x".repeat(90_000) })));
    await tool.prepare?.({ path });
    const text = (await tool.run?.({ path }, signal, context)) ?? "";
    assert.ok(text.length < 22_000, String(text.length));
    assert.match(text, /… \(84000 more characters\)/);
    assert.match(text, /\[cell 12\] passed/);
  });

  test("does not run what the user was not shown", async () => {
    const { tool, texts, ran } = toolFor(["@network local\neth_chainId"]);
    await tool.prepare?.({ path });
    texts[0] = `@network local\n${me}\n${send}`;
    await assert.rejects(
      async () => tool.run?.({ path }, signal, context),
      /not what the user was shown\. Now: free\. It may change a chain: eth_sendTransaction\. Call it again/,
    );
    texts[0] = "eth_chainId";
    await assert.rejects(async () => tool.run?.({ path }, signal, context), /Now: at most 20 credits/);
    assert.deepEqual(ran, []);
  });

  test("does not run a transaction that the user was not shown, though its method and price are the same", async () => {
    const cell = (to: string) => `@network local\neth_sendTransaction { from: $me, to: ${to} }`;
    const define = (account: string) => `me = 0x${account.repeat(20)}`;
    for (const [at, other] of [
      [1, cell(`0x${"ee".repeat(20)}`)],
      // A name that the cell uses is defined elsewhere.
      [0, define("ee")],
    ] as const) {
      const { tool, texts, ran } = toolFor([define("a1"), cell("$me")]);
      const input = { path, cells: [2] };
      await tool.prepare?.(input);
      const before = texts[at];
      texts[at] = other;
      await assert.rejects(async () => tool.run?.(input, signal, context), /not what the user was shown/);
      texts[at] = before;
      await tool.run?.(input, signal, context);
      assert.deepEqual(ran, [[[1], false]]);
    }
  });

  test("a send without a card is never run", async () => {
    const { tool, ran } = toolFor([`@network local\n${me}\n${send}`]);
    await assert.rejects(async () => tool.run?.({ path }, signal, context), /Nothing was run/);
    assert.deepEqual(ran, []);
  });

  const wrong: readonly (readonly [
    cells: readonly (string | undefined)[],
    numbers: readonly number[],
    message: RegExp,
  ])[] = [
    [["eth_chainId", undefined, "eth_gasPrice"], [2], /Cell 2 is no rpc cell\. The rpc cells are 1, 3\./],
    [["eth_chainId"], [9], /Cell 9 is no rpc cell/],
    [[undefined], [], /The notebook has no rpc cell/],
  ];
  for (const [cells, numbers, message] of wrong)
    test(`is refused: ${message.source}`, async () => {
      const { tool } = toolFor(cells);
      await tool.prepare?.({ path, cells: numbers });
      await assert.rejects(async () => tool.run?.({ path, cells: numbers }, signal, context), message);
    });
});
