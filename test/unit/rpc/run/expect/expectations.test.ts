// `expect` lines against the replies of a real HTTP service.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  getAddress,
  parseAbi,
  parseAbiParameters,
} from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { isFine, outputText, toOutput } from "../../../../../src/rpc/run/output.ts";
import { estimateCell } from "../../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../../src/rpc/run/plan/plan.ts";
import { planRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";

const one = "0x00000000000000000000000000000000000000aa";
const token = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

describe("expectations", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  /** The last cell's output, with these results or errors instead of those of the node. */
  const run = async (cells: readonly string[], replies: readonly object[] = []) => {
    let at = 0;
    const edit = (reply: unknown) => {
      const next = (item: object) => {
        const given = replies[at++];
        return given ? { jsonrpc: "2.0", id: Reflect.get(item, "id"), ...given } : item;
      };
      return Array.isArray(reply) ? reply.map(next) : next(reply as object);
    };
    bench.sandbox.setFaults(replies.length > 0 ? [{ kind: "edit", edit }] : []);
    const project = projectOf(cells);
    for (const index of cells.keys()) {
      const refused = diagnose(project, index, evm).filter(({ refuses }) => refuses);
      assert.deepEqual(refused, [], cells[index]);
    }
    let last: Awaited<ReturnType<Bench["run"]>> | undefined;
    for (const index of cells.keys()) last = await bench.run(project, index);
    bench.sandbox.setFaults([]);
    assert.ok(last);
    return toOutput(last, { runId: "1", evm, service: "Test", isSandbox: true });
  };
  const states = async (cells: readonly string[], replies?: readonly object[]) =>
    ((await run(cells, replies)).expectations ?? []).map(({ state }) => state);

  test("compare results of this cell and of cells above, exactly and with units", async () => {
    const balance = { result: "0xde0b6b3a7640001" };
    const cell = [
      `balance = eth_getBalance ${one} latest`,
      "expect $balance > 1 ether",
      "expect $balance == 1_000_000_000_000_000_001",
      "expect $balance <= 1000000000.000000001 gwei",
      "expect $balance != 1 ether",
      "expect $balance < 1.0 ether",
      "expect $limit >= $balance",
      "expect $chain == 1",
    ].join("\n");
    const { expectations = [], ...output } = await run(
      ["limit = 2 ether\nchain = eth_chainId", cell],
      [{ result: "0x1" }, balance],
    );
    assert.deepEqual(
      expectations.map(({ state }) => state),
      ["passed", "passed", "passed", "passed", "failed", "passed", "passed"],
    );
    assert.deepEqual(expectations[4], {
      network: "ethereum-mainnet",
      line: 5,
      source: "expect $balance < 1.0 ether",
      state: "failed",
      expected: "< 1 ether",
      actual: "1.000000000000000001 ether",
      difference: "+0.000000000000000001 ether",
    });
    assert.equal(isFine({ ...output, expectations }), false);
    assert.match(
      outputText({ ...output, expectations }),
      /^expect \$balance < 1\.0 ether: not met: expected < 1 ether, actual 1\.000000000000000001 ether, difference \+0\.000000000000000001 ether$/m,
    );
  });

  test("compare decoded values by index and by name", async () => {
    const reserves = encodeAbiParameters(parseAbiParameters("uint112, uint112, uint32"), [5n, 7n, 9]);
    const owner = encodeAbiParameters(parseAbiParameters("address"), [token]);
    const cell = [
      `@abi "function getReserves() view returns (uint112 reserve0, uint112 reserve1, uint32 at)"`,
      `pair = call ${token} getReserves`,
      `owner = call ${token} owner()(address)`,
      "expect $pair.reserve1 == 7",
      "expect $owner == 0x6b175474e89094c44da98b954eedeac495271d0f",
      'expect $owner matches "^0x6[bB]17"',
      "expect $owner != 0x00000000000000000000000000000000000000aa",
      "expect $pair.nothing == 7",
    ].join("\n");
    const { expectations = [] } = await run([cell], [{ result: reserves }, { result: owner }]);
    assert.deepEqual(
      expectations.map(({ state }) => state),
      ["passed", "passed", "passed", "passed", "broken"],
    );
    assert.match(expectations[4]?.reason ?? "", /^\$pair has no nothing: it is object \{"reserve0":5,/);
  });

  test("look into logs, with their decoded events", async () => {
    const abi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);
    const topics = encodeEventTopics({ abi, eventName: "Transfer", args: { from: one, to: token } });
    const data = encodeAbiParameters(parseAbiParameters("uint256"), [3n * 10n ** 18n]);
    const cell = [
      `logs = eth_getLogs { address: ${token}, fromBlock: latest }`,
      "expect $logs.length == 1",
      'expect $logs[0].event == "Transfer"',
      "expect $logs[0].args.value > 2 ether",
      `expect $logs contains { address: ${token} }`,
      'expect $logs contains { event: "Transfer" }',
      'expect $logs contains { event: "Approval" }',
      "expect $logs[0].topics contains $logs[0].topics[1]",
    ].join("\n");
    assert.deepEqual(await states([cell], [{ result: [{ address: token.toLowerCase(), topics, data }] }]), [
      ...["passed", "passed", "passed", "passed", "passed"],
      ...["failed", "passed"],
    ]);
    // The position of `event` makes no difference: in a long line, or in a constant of another cell.
    const found = `found = eth_getLogs { address: ${token}, fromBlock: latest }`;
    const long = `expect $found contains { address: ${token},${" ".repeat(200)}event: "Transfer" }`;
    const replies = [{ result: [{ address: token.toLowerCase(), topics, data }] }];
    assert.deepEqual(await states([`${found}\n${long}`], replies), ["passed"]);
    const constant = 'wanted = { event: "Transfer" }';
    assert.deepEqual(await states([constant, `${found}\nexpect $found contains $wanted`], replies), [
      "passed",
    ]);
  });

  test("expect errors by text, decoded name and code; an expected error does not fail the cell", async () => {
    const abi = parseAbi(["error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)"]);
    const data = encodeErrorResult({ abi, args: [one, 1n, 2n] });
    const reply = { error: { code: 3, message: "execution reverted", data } };
    const cell = (...expected: string[]) =>
      [
        '@abi "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)"',
        `sent = call ${token} transfer(address,uint256)(bool) ${one} 5`,
        ...expected,
      ].join("\n");
    const good = await run(
      [
        cell(
          'expect error "ERC20InsufficientBalance"',
          "expect error 3",
          "expect error",
          'expect $sent error "reverted"',
        ),
      ],
      [reply],
    );
    assert.deepEqual(
      good.expectations?.map(({ state }) => state),
      ["passed", "passed", "passed", "passed"],
    );
    assert.equal(isFine(good), true);
    const bad = await run([cell('expect error "Paused"', "expect $sent == true")], [reply]);
    assert.deepEqual(
      bad.expectations?.map(({ state, reason, actual }) => [state, reason ?? actual]),
      [
        ["failed", `error 3: execution reverted, ERC20InsufficientBalance("${getAddress(one)}", 1, 2)`],
        ["failed", "$sent has no result: error 3: execution reverted"],
      ],
    );
    assert.equal(isFine(bad), false);
    const fine = await run([cell("expect error")], [{ result: `0x${"1".padStart(64, "0")}` }]);
    assert.equal(fine.expectations?.[0]?.state, "failed");
  });

  test("gas is that of the request above, cost that of the cell", async () => {
    const cell = [
      `eth_estimateGas { to: ${token} }`,
      "expect gas == 21_000 gas",
      `receipt = eth_getTransactionReceipt 0x${"1".repeat(64)}`,
      "expect gas < 60_000",
      "expect $receipt.gasUsed == 50000",
      "expect cost <= 100 credits",
      "expect cost < 20",
    ].join("\n");
    const replies = [{ result: "0x5208" }, { result: { gasUsed: "0xc350", status: "0x1" } }];
    assert.deepEqual(await states([cell], replies), ["passed", "passed", "passed", "passed", "failed"]);
  });

  test("null, missing results and mixed types", async () => {
    const cell = [
      `a = eth_getTransactionByHash 0x${"2".repeat(64)}`,
      "expect $a is-null",
      "expect $a == null",
      "expect $a != 5",
      "expect $a > 5",
      "b = web3_clientVersion",
      "expect $b == 5",
      'expect $b contains "Geth"',
      "expect true == $b",
    ].join("\n");
    const { expectations = [] } = await run([cell], [{ result: null }, { result: "Geth/v1" }]);
    assert.deepEqual(
      expectations.map(({ state, reason }) => [state, reason]),
      [
        ["passed", undefined],
        ["passed", undefined],
        ["passed", undefined],
        ["broken", "null is no number, so it has no order"],
        ["broken", 'text "Geth/v1" and number 5 can\'t be compared'],
        ["passed", undefined],
        ["broken", 'boolean true and text "Geth/v1" can\'t be compared'],
      ],
    );
  });

  test("a cell of expectations alone sends nothing, and runs the cells that it needs", async () => {
    const cells = ["chain = eth_chainId", "expect $chain == 1\nexpect $chain == 2"];
    const project = projectOf(cells);
    const none = { get: () => undefined };
    assert.deepEqual(
      planRun(project, [1], none).map(({ cell }) => cell),
      [0, 1],
    );
    assert.equal(estimateCell(planCell(project, 1)).requests, 0);
    const before = bench.sandbox.requestCount;
    assert.deepEqual(await states(cells, [{ result: "0x1" }]), ["passed", "failed"]);
    assert.equal(bench.sandbox.requestCount - before, 1);
  });

  test("each network is checked", async () => {
    const cell = "@network ethereum-mainnet base-mainnet\nchain = eth_chainId\nexpect $chain == 1";
    const { expectations = [] } = await run([cell]);
    assert.deepEqual(
      expectations.map(({ network, state }) => [network, state]),
      [
        ["ethereum-mainnet", "passed"],
        ["base-mainnet", "failed"],
      ],
    );
  });

  test("after a request that fails they are unchecked, and keep the evidence", async () => {
    bench.sandbox.setFaults([{ kind: "status", status: 400, body: { error: "no" } } as never]);
    const run = await bench.run(projectOf(["a = eth_chainId\nexpect $a == 1"]));
    bench.sandbox.setFaults([]);
    const output = toOutput(run, { runId: "1", evm, service: "Test", isSandbox: true });
    assert.deepEqual(
      output.expectations?.map(({ state }) => state),
      ["unchecked"],
    );
    assert.equal(isFine(output), false);
  });
});

describe("a broken expectation is refused before anything is sent", () => {
  const cases: readonly (readonly [line: string, message: RegExp])[] = [
    ["expect", /^A value is missing$/],
    ["expect $a", /^An operator is missing\. Use one of == != /],
    ["expect $a = 5", /^= is no operator/],
    ["expect $a >", /^A value is missing$/],
    ["expect $a > 5 6", /^An expectation ends here$/],
    ["expect $unknown > 5", /^The name unknown is not defined/],
    ["expect $1 > 5", /^Results have no numbers\. Name one by a word, as in block = … above/],
    ["expect $later > 5", /^later is defined below/],
    ["expect $a == latest", /^latest is a word\. Write text in quotes$/],
    ["expect cots < 5", /^cots is a word/],
    ['expect $a < "abc"', /^< compares numbers, and this is text$/],
    ["expect $a >= true", /^>= compares numbers, and this is no number$/],
    ["expect $a < [1]", /^< compares numbers, and this is a list$/],
    ["expect $a matches 5", /^matches takes a pattern in quotes/],
    ['expect $a matches "(a"', /^The pattern is invalid: \) is missing$/],
    ['expect $a matches "(?=a)"', /^The pattern is invalid: groups with \(\? need backtracking/],
    ["expect $a > 0.1 wei", /^0\.1 wei is not a whole number of wei$/],
    ["expect $above error", /^\$above is no request of this cell/],
    ["expect $a error { }", /^An error is compared with/],
  ];
  for (const [line, message] of cases)
    test(line, () => {
      const project = projectOf(["above = eth_chainId", `a = eth_chainId\n${line}\nlater = 5`]);
      const [problem] = diagnose(project, 1, evm).filter(({ refuses }) => refuses);
      assert.match(problem?.message ?? "", message);
    });

  test("gas and error need a request above", () => {
    for (const word of ["gas < 5", "error"]) {
      const [problem] = diagnose(projectOf([`expect ${word}\neth_chainId`]), 0, evm);
      assert.match(problem?.message ?? "", /needs a request above it in this cell/);
    }
  });

  test("two hundred at most", () => {
    const many = Array.from({ length: 201 }, () => "expect $a == 1").join("\n");
    const problems = diagnose(projectOf([`a = eth_chainId\n${many}`]), 0, evm);
    assert.deepEqual(
      problems.map(({ message }) => message),
      ["A cell can have at most 200 expectations"],
    );
  });
});
