import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { evm } from "../../../../../../src/rpc/evm/evm.ts";
import { diagnose, refusalOf } from "../../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import type { Problem } from "../../../../../../src/rpc/language/check/problems.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { projectOf } from "../../../notebook.ts";

const address = "0x00000000000000000000000000000000000000aa";

function problemsOf(...cells: string[]): readonly Problem[] {
  return diagnose(projectOf(cells), cells.length - 1, evm);
}

/** The one problem of a cell, and what is marked. */
function problemOf(text: string): Problem & { readonly marked: string } {
  const found = problemsOf(text).filter(({ severity }) => severity !== "hint");
  assert.equal(found.length, 1, `${text}: ${found.map(({ message }) => message).join(" | ")}`);
  const [first] = found;
  assert.ok(first);
  return { ...first, marked: text.slice(first.start, first.end) };
}

/** The text after the first fix, or the named one. */
function fixed(text: string, title?: string): string {
  const { fixes } = problemOf(text);
  const fix = title ? fixes.find((one) => one.title === title) : fixes[0];
  assert.ok(fix, `no fix for ${text}`);
  return [...fix.edits]
    .sort((a, b) => b.start - a.start || b.end - a.end)
    .reduce((all, edit) => all.slice(0, edit.start) + edit.text + all.slice(edit.end), text);
}

describe("lines", () => {
  test("valid lines have no problems", () => {
    const sound = [
      "eth_blockNumber",
      `eth_getBalance ${address} latest`,
      `me = ${address}\ncall $me balanceOf(address)(uint256) $me at:-5`,
      `logs ${address} Transfer(address,address,uint256) from:-200 to:latest`,
      "eth_getBlockByNumber 19_000_000 false",
      `eth_estimateGas { to: ${address}, value: 0.1 ether }`,
      "eth_feeHistory 10 latest [25, 75]",
      "@network zksync-mainnet\nzks_L1BatchNumber",
      "@network starknet-mainnet\nstarknet_getBlockWithTxHashes { block_number: 5 }",
      "head = eth_blockNumber\neth_getBlockByNumber $head true",
      "@network local\nanvil_mine 1",
    ];
    for (const text of sound)
      assert.deepEqual(
        problemsOf(text).map(({ message }) => message),
        [],
        text,
      );
  });

  test("methods that the proxy refuses, with their replacement (spec E3)", () => {
    for (const [method, code] of [
      ["eth_subscribe", "websocket"],
      ["eth_newFilter", "filter"],
      ["eth_getFilterChanges", "filter"],
      ["eth_sign", "key-holding"],
      ["eth_mining", "key-holding"],
      ["anvil_mine", "unlisted"],
    ] as const) {
      const found = problemOf(method);
      assert.equal(found.code, code);
      assert.ok(found.refuses);
      assert.equal(found.marked, method);
    }
    assert.equal(fixed(`eth_newFilter { address: ${address} }`), `eth_getLogs { address: ${address} }`);
    assert.equal(
      fixed('eth_subscribe "newHeads"'),
      "@every 12s\n@times 10\neth_getBlockByNumber latest false",
    );
    assert.equal(fixed("eth_blokNumber"), "eth_blockNumber");
    assert.equal(
      fixed("eth_simulateV1", "Send eth_simulateV1 Anyway"),
      "@allow eth_simulateV1\neth_simulateV1",
    );
    assert.deepEqual(problemsOf("@allow eth_simulateV1\neth_simulateV1"), []);
  });

  test("a method of another family is a warning, because it costs an error", () => {
    const found = problemOf("zks_L1ChainId");
    assert.equal(found.code, "family");
    assert.equal(found.refuses, false);
    assert.equal(problemsOf("@network starknet-mainnet\neth_blockNumber")[0]?.code, "family");
  });

  test("parameters: number and form", () => {
    assert.match(problemOf("eth_getBalance").message, /missing: address/);
    assert.equal(problemOf("eth_chainId 1").marked, "1");
    assert.match(problemOf("eth_getBalance 0x12 latest").message, /40 hex digits/);
    assert.equal(problemOf(`eth_getBalance ${address} newest`).marked, "newest");
    assert.equal(fixed("eth_getBlockByNumber 0x01 false"), "eth_getBlockByNumber 0x1 false");
    assert.equal(fixed("web3_sha3 0x123"), "web3_sha3 0x0123");
    assert.equal(problemOf(`eth_call { to: 0x12, data: 0x }`).marked, "0x12");
    assert.match(problemOf("eth_getLogs { block: latest }").message, /no member block/);
    assert.equal(
      fixed("@network starknet-mainnet\nstarknet_getBlockWithTxs 5"),
      '@network starknet-mainnet\nstarknet_getBlockWithTxs {"block_number":5}',
    );
    assert.match(problemOf(`call ${address} balanceOf(address)(uint256)`).message, /takes 1 value/);
    assert.match(problemOf("eth_gasPrice latest").message, /no parameters/);
    assert.match(problemOf(`eth_call { to: ${address}, value: 0.5 wei }`).message, /not a whole number/);
  });

  test("names: unknown ones, and those declared further down", () => {
    assert.equal(problemOf("eth_getBalance $me latest").code, "unknown-name");
    assert.equal(problemOf("eth_getBlockByNumber $head true\nhead = eth_blockNumber").code, "later-name");
    assert.deepEqual(problemsOf(`me = ${address}`, "eth_getBalance $me latest"), []);
  });

  test("directives and networks", () => {
    assert.equal(problemOf("@netwrk base-mainnet").code, "directive");
    assert.equal(problemOf("@network base-mainet").code, "network");
    assert.equal(fixed("@network base-mainet"), "@network base-mainnet");
    assert.equal(problemOf("@every 6\neth_blockNumber").code, "directive");
    assert.equal(problemOf("@every 6s\n@times 0\neth_blockNumber").code, "directive");
    assert.equal(problemOf("@every 1s\n@times 3\neth_blockNumber").code, "polling");
  });
});

describe("literal cells", () => {
  const call = (method: string, more = "") => `{"jsonrpc":"2.0","method":"${method}","params":[]${more}}`;

  test("the rules of an item (spec E3, JSON-RPC item)", () => {
    assert.equal(fixed(call("eth_newFilter", ',"id":1')), call("eth_getLogs", ',"id":1'));
    assert.equal(
      fixed('{"method":"eth_chainId","id":1}'),
      '{"jsonrpc": "2.0", "method":"eth_chainId","id":1}',
    );
    assert.equal(
      fixed('{"jsonrpc":"1.0","method":"eth_chainId"}'),
      '{"jsonrpc":"2.0","method":"eth_chainId"}',
    );
    assert.equal(fixed(call("eth_chainId", ',"extra":1')), call("eth_chainId", ","));
    assert.equal(
      fixed('{"jsonrpc":"2.0","method":"eth_call","params":{"to":1}}'),
      '{"jsonrpc":"2.0","method":"eth_call","params":[{"to":1}]}',
    );
    assert.equal(problemOf('{"jsonrpc":"2.0"}').code, "method");
    assert.equal(
      problemOf(`[${Array.from({ length: 101 }, (_, id) => call("eth_chainId", `,"id":${id}`)).join(",")}]`)
        .code,
      "batch",
    );
    assert.equal(problemOf("[]").code, "batch");
  });

  test("ids of a batch: present and unique", () => {
    assert.equal(
      fixed(`[${call("eth_chainId", ',"id":1')},${call("net_version", ',"id":1')}]`),
      `[${call("eth_chainId", ',"id":1')},${call("net_version", ',"id":2')}]`,
    );
    assert.equal(problemOf(`[${call("eth_chainId")}]`).code, "id");
  });

  test("numbers where hex is required, and numbers that JSON rounds", () => {
    const text = '{"jsonrpc":"2.0","method":"eth_getBlockByNumber","params":[19000000,false],"id":1}';
    assert.equal(fixed(text), text.replace("19000000", '"0x121eac0"'));
    const huge = '{"jsonrpc":"2.0","method":"web3_sha3","params":["0x"],"id":12345678901234567890}';
    assert.equal(problemOf(huge).code, "number");
  });
});

test("any text is diagnosed without a throw", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "@network ",
      "@every 6s",
      "call ",
      "logs ",
      "eth_getBalance ",
      address,
      " $x",
      "x = ",
      "{ to: ",
      "}",
      "[",
      "]",
      "\n",
      " ",
      "keccak(",
      ")",
      "1.5 ether",
      "-200",
      '{"method":',
      '"eth_call"',
      ",",
      "balanceOf(address)(uint256)",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, text, (a, b) => {
      for (const { start, end, message } of diagnose(projectOf([a, b]), 1, evm)) {
        assert.ok(message.length > 0 && 0 <= start && start <= end && end <= Math.max(b.length, 1));
      }
    }),
    { numRuns: randomCases(5_000) },
  );
});

const meant: readonly (readonly [text: string, message: RegExp, fix?: string])[] = [
  [
    "logs 0x00000000000000000000000000000000000000aa Transfer",
    /Transfer is no event .* Transfer\(address,address,uint256\)/,
    "Use Transfer(address,address,uint256)",
  ],
  [
    '@abi "event Paid(address who)"\nlogs 0x00000000000000000000000000000000000000aa Nothing',
    /such as Paid\(address who\), Transfer/,
  ],
  ["b = eth_gasPrice\nexpect $b > 1 eth", /eth is not a unit. Write ether/],
  ["b = eth_gasPrice\nexpect $b > 1 && $b < 3", /Write the second one as an expect line/],
  ["eth_getBlockByNumber 20,000,000 true", /20,000,000 would be 3 values. Write 20_000_000/],
  [
    "balance 0x00000000000000000000000000000000000000aa",
    /command of cast. Its method is eth_getBalance/,
    "Use eth_getBalance",
  ],
  ["cast balance 0x00000000000000000000000000000000000000aa", /Paste its whole command/],
];
for (const [text, message, title] of meant)
  test(`says what is meant by ${text.split("\n").at(-1)}`, () => {
    const found = diagnose(projectOf([text], ["ethereum-mainnet"]), 0, evm).filter(({ refuses }) => refuses);
    assert.match(found.map((one) => one.message).join("\n"), message);
    if (title) assert.ok(found.some(({ fixes }) => fixes.some((one) => one.title === title)));
  });

test("two numbers with a comma between them stay two values", () => {
  for (const text of ["eth_getProof 0x00 [1,200] latest", "eth_feeHistory 10, latest [25,75]"])
    assert.deepEqual(
      diagnose(projectOf([text], ["ethereum-mainnet"]), 0).filter(({ code }) => code === "syntax"),
      [],
    );
});

test("a refusal lists the faults of all lines in their order: an error of form hides no other one", () => {
  const lines = [
    "eth_getBalance (",
    "eth_getBalance $nobody latest",
    "a = eth_call { to: 0x12,",
    "eth_nothing",
    "@every 1x",
    "expect $later = 5",
    "eth_getBalance {{NOPE}} latest",
    'eth_getBalance "0x12 latest',
    "eth_getBalance 0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96046 latest",
  ];
  const refusal = refusalOf(projectOf([lines.join("\n")], ["ethereum-mainnet"]), 0, evm) ?? "";
  const [head, ...listed] = refusal.split("\n");
  assert.equal(head, "Nothing was sent.");
  const expected = [
    /^Line 1: \( is not expected here$/,
    /^Line 2: The name nobody is not defined/,
    /^Line 3: \} is missing/,
    /^Line 4: eth_nothing is not on the service's list/,
    /^Line 5: Specify the interval/,
    /^Line 5: x is not a unit/,
    /^Line 6: The name later is not defined/,
    /^Line 6: = is no operator/,
    /^Line 7: \{\{NOPE\}\} has no value/,
    /^Line 8: The string is not closed/,
    /^Line 9: The checksum of this address is wrong/,
  ];
  for (const [at, line] of listed.entries()) assert.match(line, expected[at] ?? /^$/);
  assert.equal(listed.length, expected.length);
});
