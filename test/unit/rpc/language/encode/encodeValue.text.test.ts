// A text argument of a function or an event is sent as it is written, whatever else it could mean. viem decodes it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type Abi, decodeFunctionData, keccak256, parseAbi, stringToHex } from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { inlayHints } from "../../../../../src/rpc/language/assist/outline.ts";
import { refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { parseExact } from "../../../../../src/shared/text/json/exactJson.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { environmentsOf, projectOf } from "../../notebook.ts";

const contract = `0x${"11".repeat(20)}`;

type Params = readonly { readonly data: `0x${string}`; readonly topics: readonly (string | null)[] }[];

/** The parameters of the last line of a cell; undefined if the cell is refused. */
function paramsOf(text: string, env = ""): Params | undefined {
  const environments = environmentsOf({ e: env }, { chosen: "e" });
  const project = { ...projectOf([text]), environments };
  if (refusalOf(project, 0, evm) !== undefined) return undefined;
  const { text: json, unknown } = wireOf(project, 0, evm, () => undefined);
  assert.deepEqual(unknown, [], text);
  return ([parseExact(json)].flat().at(-1) as { readonly params: Params }).params;
}

/** The arguments that a contract gets; undefined if the cell is refused. */
function received(
  signature: string,
  args: string,
  { above = "", env = "" } = {},
): readonly unknown[] | undefined {
  const params = paramsOf(`${above}call ${contract} "${signature}" ${args}`, env);
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  return params && (decodeFunctionData({ abi, data: params[0]?.data ?? "0x" }).args ?? []);
}

/** Texts that mean something else to most readers of arguments. */
const tricky = [
  "007",
  "0",
  "-0",
  "00",
  "1e3",
  "1E3",
  "1e-3",
  "1_000",
  "1.50",
  "1.0",
  "-1",
  "0.1",
  "9007199254740993",
  "0x",
  "0x0",
  "0X1F",
  "0xZZ",
  "0xabc",
  "true",
  "false",
  "null",
  "_",
  "undefined",
  "NaN",
  "latest",
  "eth",
  "day",
  "at",
  "from",
  "a.b",
  "a-b",
  "a_b",
  "vitalik.eth",
  "e5",
  "str",
  "call",
  "expect",
];
const word = fc.oneof(
  fc.constantFrom(...tricky),
  fc.stringMatching(/^[\w.-]{1,14}$/),
  fc.stringMatching(/^-?[\d_.]{1,8}(?:e[+-]?\d{1,3})?$/),
);
/** A text in quotes. */
const quoted = (text: string) => JSON.stringify(text);
const anyText = fc
  .oneof(
    word,
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      " -0",
      " 007 ",
      "",
      "a,b",
      '"',
      "'",
      "a\nb",
      "{{X}}",
      "$x",
      "#x",
      "// x",
      "日本",
      "\u202e",
      "😀",
      "1 eth",
      "[1]",
      "(1)",
      "\\",
    ),
  )
  // A lone surrogate has no UTF-8.
  .filter((text) => text.isWellFormed());

test("each of the known texts reaches the contract as it is written", () => {
  for (const text of tricky) assert.deepEqual(received("set(string)", text), [text]);
});

test("any word reaches the contract as it is written, or the cell is refused", () => {
  const numRuns = randomCases(500);
  let passed = 0;
  fc.assert(
    fc.property(word, (text) => {
      const args = received("set(string)", text);
      if (args) passed++;
      if (args) assert.deepEqual(args, [text]);
    }),
    { numRuns },
  );
  assert.ok(passed > numRuns / 5, `only ${passed} were sent`);
});

test("any text in quotes reaches the contract", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // A variable in quotes is refused, because it would not be replaced.
      if (!/^\{\{/.test(text)) assert.deepEqual(received("set(string)", quoted(text)), [text]);
    }),
  );
});

test("in lists and tuples, whichever way they are written and nested, beside numbers that stay numbers", () => {
  fc.assert(
    fc.property(fc.constantFrom(...tricky), fc.constantFrom(...tricky), anyText, (a, b, c) => {
      if (/^\{\{/.test(c)) return;
      assert.deepEqual(received("set(string[])", `[${a}, ${b}, ${quoted(c)}]`), [[a, b, c]]);
      assert.deepEqual(received("set(string[2][])", `[[${a}, ${b}]]`), [[[a, b]]]);
      assert.deepEqual(received("set((string,uint256))", `[${a}, 007]`), [[a, 7n]]);
      assert.deepEqual(received("set((string name, bool on) x, string)", `{on: true, name: ${a}} ${b}`), [
        { name: a, on: true },
        b,
      ]);
      assert.deepEqual(
        received(
          "set((uint256 n, (string name, string[] more)[] all)[] x)",
          `[{n: 1_000, all: [{name: ${a}, more: [${b}]}]}]`,
        ),
        [[{ n: 1000n, all: [{ name: a, more: [b] }] }]],
      );
      assert.deepEqual(received("set((uint8,(string,string[])[])[1])", `[[0x1, [[${a}, [${b}]]]]]`), [
        [[1, [[a, [b]]]]],
      ]);

      assert.deepEqual(
        received("set(uint256,string,bool,bytes,address)", `0x3e8 ${a} true 0x07 ${contract}`),
        [1000n, a, true, "0x07", contract],
      );
    }),
    { numRuns: randomCases(60) },
  );
});

test("by name, as part of a named object, as a variable, and by a declared function", () => {
  // After an equals sign these begin a request.
  for (const text of tricky.filter((one) => !/^[a-z]\w*_|^(?:call|expect)$/.test(one))) {
    assert.deepEqual(received("set(string)", "$x", { above: `x = ${text}\n` }), [text], text);
    assert.deepEqual(
      received("set(string,string)", "$x.name $x.list[1]", {
        above: `x = {name: ${text}, list: [1, ${text}]}\n`,
      }),
      [text, text],
    );
    assert.deepEqual(received("set(string)", "{{X}}", { env: `X=${text}` }), [text]);
    const declared = paramsOf(
      `@abi "function set(string name, uint256 n)"\ncall ${contract} set ${text} 007`,
    );
    const { args } = decodeFunctionData({
      abi: parseAbi(["function set(string,uint256)"]),
      data: declared?.[0]?.data ?? "0x",
    });
    assert.deepEqual(args, [text, 7n]);
  }
  // The same name is a number where a number is wanted.
  assert.deepEqual(received("set(uint256,string)", "$x $x", { above: "x = 007\n" }), [7n, "007"]);
});

test("in abi(…), also in a call of another kind and in a transaction's simulation", () => {
  for (const text of tricky) {
    const params = paramsOf(
      `eth_call {to: ${contract}, data: abi("set(string,uint256[])", ${text}, [007])} latest`,
    );
    const { args } = decodeFunctionData({
      abi: parseAbi(["function set(string,uint256[])"]),
      data: params?.[0]?.data ?? "0x",
    });
    assert.deepEqual(args, [text, [7n]]);
  }
});

test("the functions of texts hash and encode what is written", () => {
  for (const text of tricky) {
    const [bytes] = (paramsOf(`web3_sha3 str(${text})`) ?? []) as readonly unknown[];
    assert.equal(bytes, stringToHex(text));
    const isHex = /^0x(?:[0-9a-f]{2})*$/i.test(text);
    const [hash] = (paramsOf(`web3_sha3 keccak(${text})`) ?? []) as readonly unknown[];
    assert.equal(hash, keccak256(isHex ? (text as `0x${string}`) : stringToHex(text)), text);
  }
});

describe("a topic", () => {
  for (const event of ["Named(string)", "event Named(string indexed name, uint256 n)"])
    test(`of ${event} is the hash of what is written; _ and null match any`, () => {
      for (const text of tricky) {
        const [filter] = paramsOf(`logs ${contract} "${event}" ${text}`) ?? [];
        const isAny = text === "_" || text === "null";
        assert.equal(filter?.topics[1], isAny ? null : keccak256(stringToHex(text)), text);
        const [quotedFilter] = paramsOf(`logs ${contract} "${event}" ${quoted(text)}`) ?? [];
        assert.equal(quotedFilter?.topics[1], keccak256(stringToHex(text)), text);
      }
    });

  test("is any value by name and by variable, too", () => {
    assert.equal(paramsOf(`any = _\nlogs ${contract} Named(string) $any`)?.[0]?.topics[1], null);
    assert.equal(paramsOf(`logs ${contract} Named(string) {{ANY}}`, "ANY=null")?.[0]?.topics[1], null);
  });
});

test("numbers and bytes mean what they meant", () => {
  assert.deepEqual(received("set(uint256,int256,bytes32)", `007 -0 ${`0x${"ab".repeat(32)}`}`), [
    7n,
    0n,
    `0x${"ab".repeat(32)}`,
  ]);
  assert.deepEqual(received("set(uint256)", "1.5 ether"), [1_500_000_000_000_000_000n]);
  assert.equal(received("set(bytes)", "007"), undefined);
  assert.equal(received("set(bool)", "1"), undefined);
});

test("an amount is the text that is written", () => {
  assert.deepEqual(received("set(string)", "1 ether"), ["1 ether"]);
  assert.deepEqual(received("set(string)", "5min"), ["5min"]);
});

test("a text that reads as several values is refused, not split", () => {
  assert.equal(received("set(string,string,string)", "2024-01-02"), undefined);
  assert.equal(received("set(string[])", "[2024-01-02]"), undefined);
  assert.equal(received("set(uint256,int256)", "5-3"), undefined);
  assert.deepEqual(received("set(uint256,int256)", "5 -3"), [5n, -3n]);
});

test("the editor shows no other value behind a text", () => {
  const hints = (args: string) =>
    inlayHints(projectOf([`call ${contract} "set(string,uint256)" ${args}`]), 0);
  assert.deepEqual(hints("1_000 5"), []);
  assert.deepEqual(
    hints("1_000 1_000").map(({ text }) => text),
    [" 1000"],
  );
});

test("decimals where Starknet takes a field element are sent as hex, and hex as it is written", () => {
  const paramsOf = (text: string) => {
    const project = projectOf([text], ["starknet-mainnet"]);
    assert.equal(refusalOf(project, 0, evm), undefined, text);
    return wireOf(project, 0, evm, () => undefined).items[0]?.params;
  };
  const large = 2n ** 200n;
  assert.deepEqual(paramsOf(`starknet_getStorageAt ${large} 7 latest`), [
    `0x${large.toString(16)}`,
    "0x7",
    "latest",
  ]);
  assert.deepEqual(
    paramsOf(
      "starknet_call { contract_address: 10, entry_point_selector: 0x0a, calldata: [1, 0x02, 300] } latest",
    ),
    [{ contract_address: "0xa", entry_point_selector: "0x0a", calldata: ["0x1", "0x02", "0x12c"] }, "latest"],
  );
  // The number of a block and an index are numbers.
  assert.deepEqual(paramsOf("starknet_getTransactionByBlockIdAndIndex { block_number: 5 } 3"), [
    { block_number: 5 },
    3,
  ]);
});
