// The user's idempotency key: for one request, which is replayed at no cost.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { asLiteralCell, wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { writeRequest } from "../../../../../src/rpc/exchange/request/writeRequest.ts";
import { formatCell } from "../../../../../src/rpc/language/assist/formatCell.ts";
import { parseCell } from "../../../../../src/rpc/language/parse/parseCell.ts";
import { spentBy } from "../../../../../src/rpc/run/cellRun.ts";
import { outputText, toOutput } from "../../../../../src/rpc/run/output.ts";
import { estimateCell } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { keyProblems } from "../../../../../src/rpc/run/plan/requestKey.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { type Bench, environmentsOf, openBench, projectOf } from "../../notebook.ts";

const item = '{"jsonrpc":"2.0","id":9,"method":"eth_chainId","params":[]}';

describe("the key of a cell", () => {
  const problemsOf = (text: string, index = 0, before: readonly string[] = []) => {
    const project = projectOf([...before, text]);
    return keyProblems(project, planCell(project, index + before.length)).map(({ message }) => message);
  };

  test("may be any text of its characters, in lines and above JSON-RPC", () => {
    for (const key of ["nightly-check-1", "2026-11-26-a", "0x1F", "1e3", "-", '"quoted_1"', "x".repeat(255)])
      for (const call of ["eth_chainId", item]) {
        const project = projectOf([`@idempotency ${key}\n${call}`]);
        const plan = planCellRun(project, 0);
        assert.equal(plan.refusal(undefined), undefined, key);
        assert.equal(plan.key, key.replaceAll('"', ""));
      }
  });

  test("is the same after formatting", () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_-]{1,30}$/);
    fc.assert(
      fc.property(key, (text) => {
        const cell = parseCell(`@idempotency   ${text}\neth_chainId`);
        const formatted = formatCell(cell).reduceRight(
          (all, { start, end, text: part }) => all.slice(0, start) + part + all.slice(end),
          cell.text,
        );
        assert.equal(formatted, `@idempotency ${text}\neth_chainId`);
        assert.equal(planCell(projectOf([formatted]), 0).key, text);
      }),
      { numRuns: randomCases(2_000) },
    );
  });

  test("is refused with its rule and its value if the service would not take it", () => {
    const rule = "The key of @idempotency must have 1 to 255 of the characters A-Z, a-z, 0-9, _ and -";
    for (const key of ["a!b", "ä", '"a b"', '""', "a:b", "a.b"])
      assert.deepEqual(problemsOf(`@idempotency ${key}\neth_chainId`), [
        `${rule}, unlike "${key.replaceAll('"', "")}"`,
      ]);
    assert.deepEqual(problemsOf(`@idempotency ${"x".repeat(256)}\neth_chainId`), [`${rule}, not 256`]);
    for (const none of ["@idempotency", "@idempotency a b"])
      assert.deepEqual(problemsOf(`${none}\neth_chainId`), ["Write one key: @idempotency nightly-check-1"]);
    assert.match(problemsOf("@idempotency a\n@idempotency b\neth_chainId").join(), /written twice/);
  });

  test("may be a variable that is not secret", () => {
    const project = projectOf(["@idempotency {{RUN}}\neth_chainId", "@idempotency {{API_KEY}}\neth_chainId"]);
    const environments = environmentsOf({ e: "RUN=nightly-7\nAPI_KEY=abcdefgh" }, { chosen: "e" });
    const [run, secret] = [0, 1].map((cell) => planCellRun({ ...project, environments }, cell));
    assert.equal(run?.key, "nightly-7");
    assert.equal(run?.refusal(undefined), undefined);
    assert.match(
      secret?.refusal(undefined) ?? "",
      /\{\{API_KEY\}\} can't be the key, because the variable is secret/,
    );
    assert.match(planCellRun(project, 0).refusal(undefined) ?? "", /\{\{RUN\}\} has no value/);
  });

  for (const [text, reason] of [
    ["@network base-mainnet, polygon-mainnet\neth_chainId", /sends one to each of its 2 networks/],
    ["@every 6s\neth_chainId", /@every repeats the request/],
    ["@watch logs\nlogs null", /@watch repeats the request/],
    [`wait 0x${"11".repeat(32)}`, /wait repeats the request/],
    ["@order serial\neth_chainId\neth_blockNumber", /sends 2 requests/],
    ["a = eth_blockNumber\neth_getBlockByNumber $a false", /sends 2 requests/],
    ["eth_getBlockByNumber -5 false", /sends 2 requests/],
    ["eth_chainId\nsend 0x02", /sends 2 requests/],
    [Array.from({ length: 101 }, () => "eth_chainId").join("\n"), /sends 2 requests/],
  ] as const)
    test(`is not used for several requests: ${text.slice(0, 60)}`, () => {
      assert.match(planCellRun(projectOf([`@idempotency k\n${text}`]), 0).refusal(undefined) ?? "", reason);
    });

  test("belongs to one cell, and to the network that the cell names", () => {
    const cell = "@idempotency k\neth_chainId";
    assert.deepEqual(problemsOf(cell, 0, [cell]), [
      "The key k is that of request cell 1 already. Two requests need two keys",
    ]);
    assert.deepEqual(problemsOf(cell, -1, [cell]), []);
    const only = { ...projectOf([cell], ["base-mainnet"]), onlyNetwork: "polygon-mainnet" };
    assert.match(
      planCellRun(only, 0).refusal(undefined) ?? "",
      /The key k is for a request to base-mainnet\. On polygon-mainnet/,
    );
    assert.equal(planCellRun({ ...only, onlyNetwork: "base-mainnet" }, 0).refusal(undefined), undefined);
  });

  test("is not sent to a node on this machine, and costs nothing there", () => {
    const project = projectOf(["@network local\n@idempotency k\neth_chainId"]);
    const plan = planCell(project, 0);
    assert.deepEqual(
      keyProblems(project, plan).map(({ severity, refuses }) => [severity, refuses]),
      [["hint", false]],
    );
    assert.equal(estimateCell(plan).mayBeReplayed, false);
  });

  test("says in the estimate that the run may be free", () => {
    assert.equal(estimateCell(planCell(projectOf(["@idempotency k\neth_chainId"]), 0)).mayBeReplayed, true);
    assert.equal(estimateCell(planCell(projectOf(["eth_chainId"]), 0)).mayBeReplayed, false);
  });

  test("is kept by a conversion to JSON, and copied into the forms that send the body as it is", () => {
    const project = projectOf(["@idempotency 1-a\neth_chainId"]);
    const wire = wireOf(project, 0, undefined, () => undefined);
    const made = asLiteralCell(project, 0, wire.text);
    assert.deepEqual([made.text, made.lost], [`@idempotency 1-a\n${wire.text}`, []]);
    const request = { ...wire, network: "base-mainnet", root: "https://x.example/api/v1" };
    assert.ok(writeRequest("curl", request).includes('-H "Idempotency-Key: 1-a"'));
    assert.ok(writeRequest("Python", request).includes('"Idempotency-Key": "1-a"'));
    // They ask for the chain id first, with the same headers.
    assert.ok(!writeRequest("ethers", request).includes("1-a"));
  });
});

for (const dialect of ["standard", "venice"] as const)
  describe(`a run with a key over ${dialect}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openBench({}, dialect);
    });
    after(() => bench.close());
    const facts = { runId: "1", evm: undefined, service: "Svc", isSandbox: false };

    for (const [form, key, body] of [
      ["lines", "lines-1", "eth_chainId\neth_blockNumber"],
      ["JSON-RPC", "json-1", `[${item}]`],
    ] as const)
      test(`of ${form} is replayed at no cost, and another request with it is refused in plain words`, async () => {
        const project = projectOf([`@idempotency ${key}\n${body}`]);
        const first = await bench.run(project);
        const again = await bench.run(project);
        assert.ok(spentBy(first).credits > 0);
        assert.equal(spentBy(again).credits, 0);
        assert.deepEqual(
          again.rounds[0]?.calls.map(({ replayed }) => replayed),
          [true],
        );
        assert.deepEqual(
          again.rounds[0]?.lines.map(({ outcome }) => outcome),
          first.rounds[0]?.lines.map(({ outcome }) => outcome),
        );
        assert.match(outputText(toOutput(again, facts)), /0 credits .* replayed, not charged$/);
        const other = await bench.run(projectOf([`@idempotency ${key}\neth_gasPrice`]));
        const { sentence } = toOutput(other, facts).problem ?? {};
        assert.equal(
          sentence,
          `Svc refused the request, because the key ${key} of @idempotency belongs to another request of the last 24 hours. Nothing was charged. Write another key for this request, or restore the other request to get its response free.`,
        );
      });

    test("is not sent on another network, whose response it could be", async () => {
      const text = "@idempotency both-1\neth_chainId";
      await bench.run(projectOf([text], ["base-mainnet"]));
      const count = bench.sandbox.requests.length;
      const run = await bench.run(projectOf([text], ["polygon-mainnet"]));
      assert.match(
        toOutput(run, facts).problem?.sentence ?? "",
        /the key both-1 of @idempotency was used on base-mainnet/,
      );
      assert.equal(bench.sandbox.requests.length, count);
    });
  });
