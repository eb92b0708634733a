// A value that is not one of its type is refused. The library encodes some of them as they are, which no contract can read.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { evm } from "../../../../src/rpc/evm/evm.ts";

const refused: readonly (readonly [signature: string, args: readonly unknown[], message: RegExp])[] = [
  ["f(bytes)", ["0x123"], /bytes takes whole bytes, but 0x123 has an odd number of hex digits/],
  [
    "f(bytes)",
    ["hello"],
    /bytes takes hex digits after 0x, not hello\. The bytes of a text are str\("hello"\)/,
  ],
  ["f(bytes[])", [["0x12", "0x1"]], /whole bytes/],
  ["f(bytes4)", ["0x123456"], /bytes4 takes 4 bytes, not 3/],
  ["f(bytes32)", ["0x1234"], /bytes32 takes 32 bytes, not 2/],
  ["f(bytes1)", ["0x1234"], /bytes1 takes 1 byte, not 2/],
  ["f(bytes32)", ["hello"], /bytes32 takes hex digits/],
  ["f((uint256,bool))", [["1", true, "5"]], /This tuple has 2 members, not 3/],
  ["f((uint256,string))", [["1"]], /This tuple has 2 members, not 1/],
  ["f((uint256 n,string s))", [{ n: "1" }], /The member s of a tuple is missing/],
  [
    "f((uint256 n,string s))",
    [{ n: "1", s: "a", t: "b" }],
    /This tuple has no member t\. Its members are n, s/,
  ],
  ["f((uint256 n,string s))", [{ n: "1", S: "a" }], /no member S/],
];

describe("refused", () => {
  for (const [signature, args, message] of refused)
    test(`${signature} of ${JSON.stringify(args)}`, () => {
      assert.throws(() => evm.encodeCall(signature, args), message);
    });
});

test("the word tuple of other libraries means the same", () => {
  const args = [["1", true]];
  const plain = evm.encodeCall("f((uint256 a, bool b))", args);
  assert.equal(evm.encodeCall("f(tuple(uint256 a, bool b))", args), plain);
  assert.equal(
    evm.encodeCall("function f(tuple(uint256 a, bool b) pair) view returns (tuple(uint256 x) y)", args),
    plain,
  );
  assert.equal(
    evm.encodeCall("f(tuple(uint256,bool)[])", [[["1", true]]]),
    evm.encodeCall("f((uint256,bool)[])", [[["1", true]]]),
  );
  // A function may have the name.
  assert.notEqual(evm.encodeCall("tupleOf(uint256)", ["1"]), evm.encodeCall("Of(uint256)", ["1"]));
});

test("members with one name are told apart by their order", () => {
  assert.equal(
    evm.encodeCall("f((uint256 a,uint256 a))", [["1", "2"]]),
    evm.encodeCall("f((uint256,uint256))", [["1", "2"]]),
  );
});

test("a result that does not fit into its type is no result of this function", () => {
  const word = (hex: string) => `0x${hex.padStart(64, "0")}`;
  assert.equal(evm.decodeCallResult("f()(uint8)", word("1ff")), undefined);
  assert.equal(evm.decodeCallResult("f()(int8)", word("80")), undefined);
  assert.equal(evm.decodeCallResult("f()(uint8[2])", `${word("1")}${"f".repeat(64)}`), undefined);
  assert.equal(evm.decodeCallResult("f()(int8)", `0x${"f".repeat(64)}`)?.[0]?.value, "-1");
  assert.equal(evm.decodeCallResult("f()(uint8)", word("ff"))?.[0]?.value, "255");
});

test("an indexed text, list or tuple is shown as the hash that it is", () => {
  const topics = [
    evm.eventTopic("E(string,uint256[],(uint256,bool),bytes)"),
    ...["11", "22", "33"].map((one) => `0x${one.repeat(32)}`),
  ];
  const event = "event E(string indexed s, uint256[] indexed l, (uint256,bool) indexed t, bytes b)";
  const data = `0x${"20".padStart(64, "0")}${"0".repeat(64)}`;
  assert.deepEqual(
    evm.decodeLog({ topics, data }, [event])?.values.map(({ name, type }) => [name, type]),
    [
      ["s", "hash of string"],
      ["l", "hash of uint256[]"],
      ["t", "hash of tuple"],
      ["b", "bytes"],
    ],
  );
});
