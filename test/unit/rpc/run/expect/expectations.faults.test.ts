// Expectations of unusual results and errors, of nodes that follow no standard.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { scaledNumber } from "../../../../../src/rpc/language/parse/tokens/numbers.ts";
import { checkExpectations } from "../../../../../src/rpc/run/expect/expectations.ts";
import { Values } from "../../../../../src/rpc/run/expect/values.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import type { LineState } from "../../../../../src/rpc/run/round.ts";
import { createLocalSender } from "../../../../../src/rpc/run/senders.ts";
import { projectOf } from "../../notebook.ts";

/** The states and reasons of the expectations of a cell whose requests have these outcomes. */
async function check(lines: readonly string[], outcomes: readonly LineState["outcome"][]) {
  const project = projectOf([lines.join("\n")]);
  const plan = planCellRun(project, 0);
  const network = "ethereum-mainnet";
  const round = { network, lines: outcomes.map((outcome) => ({ outcome })), expectations: [], calls: [] };
  const deps = { values: new Values(), loadEvm: async () => evm };
  const checked = await checkExpectations(deps, { plan, network }, round);
  return checked.map(({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`));
}

const result = (value: unknown) => ({ kind: "result", value: value as string }) as const;

describe("expectations", () => {
  test("the code of an error may be any number", async () => {
    for (const code of [1.5, -32_000.25, 1e21, 5e-7]) {
      const outcome = { kind: "error", code, message: "odd" } as const;
      const lines = ["eth_chainId", "expect error 3", 'expect error "odd"'];
      assert.deepEqual(await check(lines, [outcome]), ["failed", "passed"]);
    }
  });

  test("of a request that was not sent are not checked, with its reason; a failed step names what it looked into", async () => {
    const unsent = { kind: "unsent", reason: "It was not sent, because you declined" } as const;
    const lines = ["a = eth_chainId", "expect $a == 1", "expect error", "expect gas < 1"];
    const checked = await check(lines, [unsent]);
    assert.deepEqual(checked.slice(0, 2), [
      "unchecked: $a has no result: It was not sent, because you declined",
      "unchecked: It was not sent, because you declined",
    ]);
    assert.match(checked[2] ?? "", /^unchecked: /);
    const parts = ["p = eth_getProof 0x00 [] latest", "expect $p[0][1].delta == 1"];
    assert.deepEqual(await check(parts, [result([[1, { a: "0x2" }]])]), [
      'broken: $p[0][1] has no delta: it is object {"a":"0x2"}',
    ]);
  });

  test("gas is that of an estimate or a receipt, and no other number", async () => {
    const gas = "expect gas < 60_000";
    assert.deepEqual(await check(["eth_estimateGas {}", gas], [result("0x5208")]), ["passed"]);
    assert.deepEqual(await check(["eth_getTransactionReceipt 0x00", gas], [result({ gasUsed: "0x5208" })]), [
      "passed",
    ]);
    for (const other of ["eth_blockNumber", "eth_call {} latest", "eth_gasPrice"])
      assert.match((await check([other, gas], [result("0x1")]))[0] ?? "", /^broken: .* returned no gas/);
  });

  test("a value in a list or an object is read once, however many items it is compared with", async () => {
    for (const [part, item] of [
      ["[$b.x]", ["0x1"]],
      ["{ k: $b.x }", { k: "0x1" }],
    ] as const) {
      let reads = 0;
      const counted = Object.defineProperty({}, "x", {
        get: () => {
          reads++;
          return "0x2";
        },
      });
      const lines = ["a = eth_getLogs {}", "b = eth_syncing", `expect $a contains ${part}`];
      const items = Array.from({ length: 1_000 }, () => item);
      assert.deepEqual(await check(lines, [result(items), result(counted)]), ["failed"]);
      assert.equal(reads, 1);
    }
  });
});

test("durations with a fraction are exact", () => {
  for (const [text, unit, expected] of [
    ["1.1", "min", 66n],
    ["-1.1", "min", -66n],
    ["0.1", "h", 360n],
    ["1.000", "d", 86_400n],
    ["0.0001", "min", 0.006],
  ] as const)
    assert.equal(scaledNumber({ text, unit: { text: unit, start: 0, end: 0 } }), expected);
});

test("answers of a local node are read as those of the service: odd members are dropped", async (t) => {
  const answers = [
    '{"error":{"code":"x","message":5}}',
    '{"error":"only a sentence"}',
    '[null,{"id":1,"result":18446744073709551615}]',
    "null",
  ];
  const server = createServer((_, response) => response.end(answers.shift())).listen(0, "127.0.0.1");
  await once(server, "listening");
  const transport = createUndiciTransport({ systemCertificates: false });
  t.after(async () => {
    await transport.close?.();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const sender = createLocalSender(transport, () => `http://127.0.0.1:${port}`);
  const send = async () =>
    (await sender.send("local", { jsonrpc: "2.0", id: 1, method: "m" }, { signal: t.signal, once: false }))
      .answer;
  assert.deepEqual(await send(), { error: { code: undefined, message: undefined } });
  assert.deepEqual(await send(), { error: { code: undefined, message: "only a sentence", data: undefined } });
  assert.deepEqual(await send(), [{ id: 1, result: 18_446_744_073_709_551_615n }]);
  await assert.rejects(send, /without JSON-RPC/);
});
