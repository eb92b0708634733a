import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionData,
  getAddress,
  keccak256,
  parseAbi,
  stringToHex,
  toEventSelector,
} from "viem";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { functionsIn } from "../../../../src/rpc/language/check/declarations.ts";
import { needsEvm, toOutcome } from "../../../../src/rpc/run/expect/outcome.ts";
import { projectOf } from "../notebook.ts";

const address = "0x00000000000000000000000000000000000000aa";
const word = (text: string) => `0x${text.padStart(64, "0")}`;

describe("calls", () => {
  test("are encoded from a signature and arguments", () => {
    const abi = parseAbi(["function f(uint256 a, address[] b, (bool c, bytes d) e, string g, int8 h)"]);
    const args = [5n, [address], { c: true, d: "0x12" }, "x", -3] as const;
    assert.equal(
      evm.encodeCall("f(uint256,address[],(bool,bytes),string,int8)", [
        "5",
        [address],
        [true, "0x12"],
        "x",
        "-3",
      ]),
      encodeFunctionData({ abi, args }),
    );
    assert.equal(evm.encodeCall("totalSupply()(uint256)", []), "0x18160ddd");
  });

  test("report arguments that do not fit", () => {
    const cases: readonly (readonly [string, unknown[], RegExp])[] = [
      ["f(uint256)", [], /takes 1 value, not 0/],
      ["f(uint256)", ["x"], /whole number/],
      ["f(bool)", ["x"], /true or false/],
      ["f(uint8)", ["300"], /300/],
      ["f(address)", ["0x12"], /0x12/],
      ["f(nothing)", ["1"], /can't be read/],
      ["f(", [], /not a signature/],
    ];
    for (const [signature, args, message] of cases) {
      assert.throws(() => evm.encodeCall(signature, args), message, signature);
    }
  });

  test("are decoded with the outputs of the signature", () => {
    const data = encodeAbiParameters([{ type: "uint256" }, { type: "string" }], [2n ** 255n, "hi"]);
    assert.deepEqual(evm.decodeCallResult("f() returns (uint256 amount, string)", data), [
      { name: "amount", type: "uint256", value: String(2n ** 255n) },
      { name: "", type: "string", value: "hi" },
    ]);
    assert.equal(evm.decodeCallResult("f()(uint256)", "0x"), undefined);
    assert.equal(evm.decodeCallResult("f()", data), undefined);
  });
});

describe("events", () => {
  const topic = toEventSelector("event Transfer(address,address,uint256)");

  test("a signature without parameter names is filtered by its indexed parameters in order", () => {
    assert.deepEqual(evm.encodeTopics("Transfer(address,address,uint256)", []), [topic]);
    assert.deepEqual(evm.encodeTopics("Transfer(address,address,uint256)", [null, address]), [
      topic,
      null,
      word("aa"),
    ]);
    assert.throws(() => evm.encodeTopics("E(uint256 indexed)", ["1", "2"]), /takes|1/);
  });

  test("ERC-20 and ERC-721 share a topic, and are distinguished by the number of indexed parameters", () => {
    const erc20 = { topics: [topic, word("aa"), word("bb")], data: word("5") };
    const erc721 = { topics: [topic, word("aa"), word("bb"), word("5")], data: "0x" };
    for (const log of [erc20, erc721]) {
      const event = evm.decodeLog(log, []);
      assert.equal(event?.name, "Transfer");
      assert.deepEqual(
        event?.values.map(({ name, value }) => `${name} ${String(value).toLowerCase()}`),
        [`from 0x${"aa".padStart(40, "0")}`, `to 0x${"bb".padStart(40, "0")}`, "value 5"],
      );
    }
  });

  test("declared events come first; an unknown event is not decoded", () => {
    const own = "event Moved(address indexed who, uint256 far)";
    const log = { topics: [toEventSelector(own), word("aa")], data: word("7") };
    assert.equal(evm.decodeLog(log, [own])?.values[1]?.value, "7");
    assert.equal(evm.decodeLog(log, []), undefined);
    assert.equal(evm.decodeLog({ topics: [], data: "0x" }, []), undefined);
  });
});

describe("reverts", () => {
  test("reasons, panics, declared errors, and a bare selector", () => {
    const abi = parseAbi(["error Error(string)", "error Panic(uint256)", "error Own(uint256 a)"]);
    const text = encodeErrorResult({ abi, errorName: "Error", args: ["no"] });
    assert.equal(evm.decodeRevert(text, [])?.reason, "no");
    const panic = encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
    assert.match(evm.decodeRevert(panic, [])?.reason ?? "", /overflow/);
    const own = encodeErrorResult({ abi, errorName: "Own", args: [3n] });
    assert.deepEqual(evm.decodeRevert(own, ["error Own(uint256 a)"]), {
      name: "Own",
      values: [{ name: "a", type: "uint256", value: "3" }],
    });
    assert.deepEqual(evm.decodeRevert(own, []), { name: own.slice(0, 10), values: [] });
  });
});

test("addresses get their checksum", () => {
  assert.equal(
    evm.checksummed("0xd8da6bf26964af9d7eed9e03e53415d37aa96045"),
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  );
  assert.equal(evm.checksummed("0x12"), undefined);
});

describe("calldata", () => {
  const transfer = evm.encodeCall("transfer(address,uint256)", [address, "5"]);

  test("is decoded by the notebook's declarations, or by well-known functions", () => {
    assert.deepEqual(evm.decodeCalldata(transfer, ["transfer(address who, uint256 howMuch)"]), {
      name: "transfer",
      values: [
        { name: "who", type: "address", value: getAddress(address) },
        { name: "howMuch", type: "uint256", value: "5" },
      ],
    });
    assert.deepEqual(
      evm.decodeCalldata(transfer, [])?.values.map(({ name }) => name),
      ["to", "amount"],
    );
    assert.deepEqual(evm.decodeCalldata("0x18160ddd", []), { name: "totalSupply", values: [] });
    for (const data of ["0x", "0x12345678", transfer.slice(0, 40), "hello"])
      assert.equal(evm.decodeCalldata(data, []), undefined, data);
  });

  test("of a trace is decoded by the functions that the notebook calls, each input once", () => {
    const mint = evm.encodeCall("mint(uint256)", ["7"]);
    const call = { type: "CALL", from: address, to: address, input: mint };
    const value = { ...call, calls: [call, { ...call, input: transfer }, { ...call, input: "0x12345678" }] };
    const project = projectOf([
      "call $x mint(uint256) 7",
      '@abi "function transfer(address who, uint256 n)"',
    ]);
    const functions = functionsIn(project);
    const hints = { method: "debug_traceTransaction", decoding: undefined, declared: [], functions };
    assert.ok(needsEvm({ kind: "result", value }, hints));
    const shown = toOutcome({ kind: "result", value }, hints, evm, 10_000);
    assert.ok(shown.kind === "result" && shown.decoded?.kind === "calls");
    assert.deepEqual(
      shown.decoded.calls.map(({ input, name, values }) => [input, name, values[0]?.name]),
      [
        [mint, "mint", ""],
        [transfer, "transfer", "who"],
      ],
    );
  });
});

test("an event without parameter names gets those of an event with the same types", () => {
  const topics = [toEventSelector("Transfer(address,address,uint256)"), word("1"), word("2")];
  const own = ["Transfer(address,address,uint256)"];
  const namesOf = (declared: readonly string[]) =>
    evm.decodeLog({ topics, data: word("3") }, declared, own)?.values.map(({ name }) => name);
  assert.deepEqual(namesOf([]), ["from", "to", "value"]);
  assert.deepEqual(namesOf(["event Transfer(address indexed a, address indexed b, uint256 c)"]), [
    "a",
    "b",
    "c",
  ]);
});

test("a list or a tuple is filtered by the hash of its parts, without lengths and offsets", () => {
  const topicsOf = (signature: string, value: unknown) => evm.encodeTopics(signature, [value])[1];
  const one = word("1").slice(2);
  assert.equal(topicsOf("E((uint256,bool) indexed)", ["1", true]), keccak256(`0x${one}${one}`));
  assert.equal(topicsOf("E(uint256[] indexed)", ["1", "1"]), keccak256(`0x${one}${one}`));
  const text = stringToHex("007").slice(2).padEnd(64, "0");
  assert.equal(
    topicsOf("E((string a,bytes b,uint8[2] c) indexed t)", { a: "007", b: "0x", c: ["1", "1"] }),
    keccak256(`0x${text}${one}${one}`),
  );
});

test("an indexed text, list or tuple is shown as its hash", () => {
  const signature = "Named(string indexed name,uint256[] indexed list,uint256 indexed id)";
  const topics = evm.encodeTopics(signature, ["007", ["1"], "5"]).map(String);
  const decoded = evm.decodeLog({ topics, data: "0x" }, [`event ${signature}`]);
  assert.deepEqual(
    decoded?.values.map(({ type, value }) => [type, value]),
    [
      ["hash of string", topics[1]],
      ["hash of uint256[]", topics[2]],
      ["uint256", "5"],
    ],
  );
});
