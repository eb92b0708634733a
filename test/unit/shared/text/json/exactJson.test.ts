// Integers of any size keep their digits: in a cell, in requests and replies, in outputs and exports.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { RpcAnswers } from "../../../../../src/api/endpoints/rpc.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { writeRequest } from "../../../../../src/rpc/exchange/request/writeRequest.ts";
import { toLines } from "../../../../../src/rpc/exchange/toLines.ts";
import { outputText, toOutput } from "../../../../../src/rpc/run/output.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../../src/rpc/run/runCell.ts";
import type { Sender } from "../../../../../src/rpc/run/senders.ts";
import { parseAnswer } from "../../../../../src/shared/text/json/answerJson.ts";
import { exactJsonText, parseExact } from "../../../../../src/shared/text/json/exactJson.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { type Bench, openBench, projectOf } from "../../../rpc/notebook.ts";

const big = 123_456_789_012_345_678_901n;

describe("exact JSON", () => {
  const whole = fc.bigInt({ min: -(2n ** 300n), max: 2n ** 300n });
  /** JSON.stringify writes whole numbers below 1e21 with all digits. */
  const fraction = fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((one) => !Number.isInteger(one) || Math.abs(one) >= 1e21);
  const { value: anything } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      whole.map((one) => (Number.isSafeInteger(Number(one)) ? Number(one) : one)),
      fraction,
      fc.string(),
      fc.bigInt({ min: 10n ** 16n }).map(String),
      fc.constantFrom(null, true, false),
      fc.array(tie("value")),
      fc.dictionary(fc.string(), tie("value"), { noNullPrototype: true }),
    ),
  }));

  test("is unchanged after parsing and formatting, with and without spaces", () => {
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 2), (value, space) => {
        assert.deepEqual(parseExact(exactJsonText(value, space)), value);
      }),
      { numRuns: randomCases(3_000) },
    );
  });

  test("equals plain JSON if no number is large", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        assert.equal(exactJsonText(parseExact(text)), JSON.stringify(JSON.parse(text)));
      }),
    );
    const text = '["12345678901234567890",1e+23,0.1234567890123456,9007199254740991]';
    assert.deepEqual(parseExact(text), JSON.parse(text));
    assert.throws(() => parseExact("12345678901234567890,"), SyntaxError);
  });
});

describe("large numbers of an RPC cell", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  const sentBody = () => bench.sandbox.requests.at(-1)?.bodyText ?? "";

  test("a literal cell is sent to the last digit, its id included", async () => {
    const text = `[{ "jsonrpc": "2.0", "id": ${big}, "method": "eth_chainId", "params": [] },
      { "jsonrpc": "2.0", "id": 2, "method": "eth_getBalance", "params": ["0x00000000000000000000000000000000000000aa", ${big}] }]`;
    const run = await bench.run(projectOf([text]));
    assert.deepEqual(parseExact(sentBody()), parseExact(text));
    assert.match(sentBody(), new RegExp(`"id":${big},.*${big}\\]`));
    // The reply is matched by that id.
    assert.equal(run.rounds[0]?.lines[0]?.outcome.kind, "result");
  });

  test("a node's reply is exact in the output, as text, and as a value of the next line", async () => {
    const body = { jsonrpc: "2.0", id: 1, result: { total: big, list: [big, 7] } };
    bench.sandbox.setFaults([{ kind: "json", body, times: 1 }]);
    const project = projectOf([
      "one = eth_getProof 0x00000000000000000000000000000000000000aa [] latest\neth_getBalance $one.list[1] $one.total",
    ]);
    const run = await bench.run(project);
    bench.sandbox.setFaults([]);
    const facts = { runId: "run", evm: undefined, service: "The service", isSandbox: true };
    const output = parseExact(exactJsonText(toOutput(run, facts))) as ReturnType<typeof toOutput>;
    assert.deepEqual(
      output.lines[0]?.outcome.kind === "result" && output.lines[0].outcome.value,
      body.result,
    );
    assert.equal(output.isPlayMoney, true);
    assert.match(outputText(output), / credits · \$[\d.]+ play money · /);
    const real = toOutput(run, { ...facts, isSandbox: false });
    assert.doesNotMatch(outputText(real), /play money/);
    assert.match(sentBody(), /\[7,"0x6b14e9f812f366c35"\]/);
  });

  test("a node's numbers are shown as sent, whatever their form", async () => {
    const raw =
      '{"jsonrpc":"2.0","id":1,"result":{"a":1E400,"b":9007199254740993.0,"c":12345678901234567890.25}}';
    const sender: Sender = {
      send: async () => ({ answer: RpcAnswers.parse(parseAnswer(raw)), ms: 1, replayed: false, resends: 0 }),
    };
    const plan = planCellRun(projectOf(["web3_clientVersion"]), 0);
    const run = await runCell({ ...bench.deps, sender }, plan, new AbortController().signal, () => {});
    const text = outputText(toOutput(run, { runId: "r", evm: undefined, service: "S", isSandbox: false }));
    assert.match(text, /"a":10{100}/);
    const output = toOutput(run, { runId: "r", evm: undefined, service: "S", isSandbox: false });
    assert.match(exactJsonText(output), /"a":10{400},"b":9007199254740993,"c":"12345678901234567890\.25"/);
  });

  test("lines and exports keep them", () => {
    const project = projectOf([`eth_getBlockByNumber latest false\nweird_method ${big}`]);
    const wire = {
      ...wireOf(project, 0, undefined, () => undefined),
      network: "base-mainnet",
      root: "https://x/api/v1",
    };
    assert.equal(wire.items[1]?.params[0], big);
    for (const form of ["curl", "cast", "Python", "JSON-RPC"] as const)
      assert.match(writeRequest(form, wire), new RegExp(`\\b${big}\\b`));
    assert.match(writeRequest("viem", wire), new RegExp(`params: \\[JSON.rawJSON\\("${big}"\\)\\]`));
    assert.equal(toLines(wire.items).split("\n")[1], `weird_method ${big}`);
  });
});
