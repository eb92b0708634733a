// Names for unknown selectors: the bundled signatures, and the display of bytes that fit or do not fit them.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  parseAbiItem,
  parseAbiParameters,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { knownErrors, knownEvents, knownFunctions } from "../../../../../src/rpc/evm/decode/knownAbi.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import {
  likelyErrors,
  likelyEvents,
  likelyFunctions,
} from "../../../../../src/rpc/evm/signatures/likelySignatures.ts";
import { toOutcome } from "../../../../../src/rpc/run/expect/outcome.ts";
import { callText } from "../../../../../src/rpc/run/write/writeFacts.ts";

const tables = {
  function: { text: likelyFunctions, known: knownFunctions.map((one) => `function ${one}`) },
  error: { text: likelyErrors, known: [...knownErrors] },
  event: { text: likelyEvents, known: knownEvents.map((one) => `event ${one}`) },
} as const;
type Kind = keyof typeof tables;

const listOf = (kind: Kind) => tables[kind].text.trim().split(/\s+/);
const declarationOf = (kind: Kind, signature: string) => `${kind} ${signature.replaceAll("#", " indexed")}`;
const itemOf = (declaration: string) => parseAbiItem(declaration as "function f()");
const selectorOf = (kind: Kind, declaration: string): string => {
  const item = itemOf(declaration);
  return kind === "event"
    ? toEventSelector(item as never)
    : toFunctionSelector({ ...item, type: "function" } as never);
};

for (const kind of ["function", "error", "event"] as const) {
  test(`each likely ${kind} can be parsed, is canonical, and has a selector of its own`, () => {
    const seen = new Map(tables[kind].known.map((one) => [selectorOf(kind, one), one]));
    for (const signature of listOf(kind)) {
      const declaration = declarationOf(kind, signature);
      const item = itemOf(declaration);
      // Types such as uint would make another selector than uint256.
      assert.doesNotMatch(signature, /\bu?int\b|\bbyte\b/, signature);
      assert.equal((item as { name: string }).name, signature.split("(")[0]);
      const selector = selectorOf(kind, declaration);
      assert.equal(seen.get(selector), undefined, `${signature} repeats ${seen.get(selector)}`);
      seen.set(selector, signature);
      if (kind === "event")
        assert.ok((signature.match(/#/g) ?? []).length <= 3, `${signature} has at most three indexed`);
    }
  });
}

test("selectors are the published constants", () => {
  const published: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
    function: {
      "0x095ea7b3": "approve(address spender, uint256 amount)",
      "0x23b872dd": "transferFrom(address from, address to, uint256 amount)",
      "0xa9059cbb": "transfer(address to, uint256 amount)",
      "0x38ed1739": "swapExactTokensForTokens(",
      "0x7ff36ab5": "swapExactETHForTokens(",
      "0x18cbafe5": "swapExactTokensForETH(",
      "0x414bf389": "exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))",
      "0x04e45aaf": "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))",
      "0x3593564c": "execute(bytes,bytes[],uint256)",
      "0x5ae401dc": "multicall(uint256,bytes[])",
      "0xac9650d8": "multicall(bytes[] calls)",
      "0xd505accf": "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
      "0x82ad56cb": "aggregate3((address,bool,bytes)[])",
      "0x252dba42": "aggregate((address,bytes)[])",
      "0x6a761202": "execTransaction(",
      "0x1fad948c":
        "handleOps((address,uint256,bytes,bytes,uint256,uint256,uint256,uint256,uint256,bytes,bytes)[],address)",
      "0x765e827f": "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)",
      "0x617ba037": "supply(address,uint256,address,uint16)",
      "0xfeaf968c": "latestRoundData()",
      "0x1f931c1c": "diamondCut(",
      "0x3659cfe6": "upgradeTo(address)",
      "0x4f1ef286": "upgradeToAndCall(address,bytes)",
      "0x1626ba7e": "isValidSignature(bytes32,bytes)",
      "0x150b7a02": "onERC721Received(address,address,uint256,bytes)",
      "0x2eb2c2d6": "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
      "0x6e553f65": "deposit(uint256,address)",
      "0xfb0f3ee1": "fulfillBasicOrder(",
      "0x56781388": "castVote(uint256,uint8)",
      "0xe3ee160e":
        "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
    },
    error: {
      "0xfb8f41b2": "error ERC20InsufficientAllowance(",
      "0xe450d38c": "error ERC20InsufficientBalance(",
      "0x118cdaa7": "error OwnableUnauthorizedAccount(",
      "0xe2517d3f": "error AccessControlUnauthorizedAccount(",
      "0xf92ee8a9": "InvalidInitialization()",
      "0x1425ea42": "FailedInnerCall()",
      "0x5274afe7": "SafeERC20FailedOperation(address)",
      "0x556f1830": "OffchainLookup(address,string[],bytes,bytes4,bytes)",
      "0x220266b6": "FailedOp(uint256,string)",
    },
    event: {
      "0xddf252ad": "Transfer(address from,",
      "0x0d3648bd": "PairCreated(",
      "0x783cca1c": "PoolCreated(",
      "0x2f878811": "RoleGranted(",
      "0x1cf3b03a": "BeaconUpgraded(",
      "0x49628fd1": "UserOperationEvent(",
      "0x0559884f": "AnswerUpdated(",
      "0x8faa7087": "DiamondCut(",
    },
  };
  for (const kind of ["function", "error", "event"] as const) {
    const own = listOf(kind).map((one) => ({ one, declaration: declarationOf(kind, one) }));
    const all = [...own, ...tables[kind].known.map((declaration) => ({ one: declaration, declaration }))];
    const bySelector = new Map(
      all.map(({ one, declaration }) => [selectorOf(kind, declaration).slice(0, 10), one]),
    );
    for (const [selector, start] of Object.entries(published[kind])) {
      const found = bySelector.get(selector)?.replace(/^(?:function|event) /, "") ?? "nothing";
      assert.ok(found.startsWith(start), `${selector}: ${found}, not ${start}`);
    }
  }
});

const who = "0x00000000000000000000000000000000000000a1";
const supply = encodeFunctionData({
  abi: [parseAbiItem("function supply(address,uint256,address,uint16)")],
  args: [who, 7n, who, 3],
});

test("a likely function has its arguments only if they encode to the same bytes", () => {
  const likely = "supply(address,uint256,address,uint16)";
  const called = evm.decodeCalldata(supply, []);
  assert.deepEqual(
    called?.values.map(({ value }) => value),
    [who.replace("a1", "A1"), "7", who.replace("a1", "A1"), "3"],
  );
  assert.equal(called?.likely, likely);
  const others = [
    `${supply}00`,
    supply.slice(0, -2),
    supply.slice(0, 10),
    `${supply.slice(0, -64)}${"f".repeat(64)}`,
  ];
  for (const input of others)
    assert.deepEqual(evm.decodeCalldata(input, []), { name: "supply", values: [], likely }, input);
  assert.deepEqual(evm.decodeCalldata("0xfeaf968c", []), {
    name: "latestRoundData",
    values: [],
    likely: "latestRoundData()",
  });
  // A declaration of the notebook comes first.
  const own = evm.decodeCalldata(supply, [
    "supply(address asset, uint256 amount, address onBehalfOf, uint16 code)",
  ]);
  assert.equal(own?.likely, undefined);
  assert.equal(own?.values[0]?.name, "asset");
});

test("a question about a transaction marks a likely function", () => {
  const called = evm.decodeCalldata(supply, []);
  assert.ok(called);
  assert.match(callText(called), /^likely supply\(0x/);
  const longer = evm.decodeCalldata(`${supply}00`, []);
  assert.equal(longer && callText(longer), "likely supply(address,uint256,address,uint16)");
});

test("a likely error has its values; another selector stays a selector", () => {
  const abi = [parseAbiItem("error FailedOp(uint256,string)")];
  const data = encodeErrorResult({ abi, errorName: "FailedOp", args: [0n, "AA23 reverted"] });
  const revert = evm.decodeRevert(data, []);
  assert.equal(revert?.likely, "FailedOp(uint256,string)");
  assert.deepEqual(
    revert?.values.map(({ value }) => value),
    ["0", "AA23 reverted"],
  );
  assert.deepEqual(evm.decodeRevert("0x12345678", []), { name: "0x12345678", values: [] });
});

test("a likely event is decoded as it is published, and with the first parameters indexed", () => {
  const published = parseAbiItem(
    "event Initialize(bytes32 indexed, address indexed, address indexed, uint24, int24, address, uint160, int24)",
  );
  const id: Hex = `0x${"12".repeat(32)}`;
  const topics = encodeEventTopics({ abi: [published], args: [id, who, who] as never }) as Hex[];
  const data = encodeAbiParameters(parseAbiParameters("uint24,int24,address,uint160,int24"), [
    3000,
    60,
    who,
    5n,
    -1,
  ]);
  const event = evm.decodeLog({ topics, data }, []);
  assert.deepEqual(event?.values.map(({ value }) => value).slice(3, 5), ["3000", "60"]);
  assert.equal(event?.values[0]?.value, id);
  // Compound's Mint has the same topic as that of Uniswap V2, whose first parameter is indexed.
  const mint = toEventSelector("Mint(address,uint256,uint256)");
  const values = encodeAbiParameters(parseAbiParameters("address,uint256,uint256"), [who, 1n, 2n]);
  assert.deepEqual(evm.decodeLog({ topics: [mint], data: values }, [])?.values.length, 3);
  const broken = evm.decodeLog({ topics: [mint], data: "0x12" }, []);
  assert.deepEqual(broken, { name: "Mint", values: [], likely: "Mint(address,uint256,uint256)" });
});

test("foreign bytes never throw and never cost more than their length", () => {
  const long = `0x617ba037${"00".repeat(500_000)}`;
  assert.equal(evm.decodeCalldata(long, [])?.values.length, 0);
  for (const selector of ["0x765e827f", "0x1f931c1c", "0x3593564c", "0x82ad56cb"]) {
    for (const tail of ["", "0", "zz", "f".repeat(640), `${"0".repeat(62)}20`.repeat(200)]) {
      const found = evm.decodeCalldata(`${selector}${tail}`, []);
      assert.ok(found === undefined || found.likely !== undefined);
    }
  }
  for (const topic of ["", "0x", "__proto__", "constructor", `0x${"0".repeat(64)}`])
    assert.equal(evm.decodeLog({ topics: [topic], data: "0x" }, []), undefined);
});

test("the calls of a trace and the errors of its failed calls are decoded by their bytes", () => {
  const error = encodeErrorResult({ abi: [parseAbiItem("error Expired()")] });
  const failed = {
    type: "CALL",
    from: who,
    to: who,
    input: supply,
    output: error,
    error: "execution reverted",
  };
  const fine = { type: "CALL", from: who, to: who, input: "0xfeaf968c", output: `${error}00` };
  const hints = { method: "debug_traceTransaction", decoding: undefined, declared: [], functions: [] };
  const outcome = toOutcome({ kind: "result", value: { ...failed, calls: [fine] } }, hints, evm, 100_000);
  assert.ok(outcome.kind === "result" && outcome.decoded?.kind === "calls");
  assert.deepEqual(
    outcome.decoded.calls.map(({ name, likely }) => [name, likely]),
    [
      ["supply", "supply(address,uint256,address,uint16)"],
      ["Expired", "Expired()"],
      ["latestRoundData", "latestRoundData()"],
    ],
  );
});
