// Values of functions to and from the syntax of cast: lists, tuples and texts mean the same on both sides.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decodeFunctionData, parseAbi } from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readCast } from "../../../../../src/rpc/exchange/cast/readCast.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { castCall } from "../../../../../src/rpc/exchange/request/writeCall.ts";
import { refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { projectOf } from "../../notebook.ts";

const contract = `0x${"11".repeat(20)}`;

/** The words of `cast call` for a line. */
function toCast(line: string): readonly string[] {
  const { items } = wireOf(projectOf([line]), 0, evm, () => undefined);
  const [call] = items.flatMap((item) => item.call ?? []);
  assert.ok(call, line);
  return castCall(call, "0x").words;
}

/** The line of the words of a cast command. */
function fromCast(...words: readonly string[]): string {
  return readCast(["call", ...words]).line ?? assert.fail(words.join(" "));
}

/** The arguments that the contract of a line gets. */
function received(line: string, signature: string): readonly unknown[] {
  const project = projectOf([line]);
  assert.equal(refusalOf(project, 0, evm), undefined, line);
  const { text } = wireOf(project, 0, evm, () => undefined);
  const [{ data }] = (JSON.parse(text) as { params: [{ data: `0x${string}` }] }).params;
  const abi = parseAbi([`function ${signature}`] as readonly string[]);
  return decodeFunctionData({ abi, data }).args ?? [];
}

const known: readonly (readonly [signature: string, line: string, cast: readonly string[]])[] = [
  ["f((uint256,bool))", "[1, true]", ["(1,true)"]],
  ["f((uint256,bool)[])", "[[1, true], [2, false]]", ["[(1,true),(2,false)]"]],
  ["f(string[])", '["a,b", "c"]', ['["a,b",c]']],
  ["f(string[])", "[]", ["[]"]],
  ["f((string,string[]))", '["x)", ["", "it\'s", " y "]]', ['("x)",["","it\'s"," y "])']],
  ["f((string name,uint256 n))", "{n: 1, name: a}", ["(a,1)"]],
  ["f(string)", "007", ["007"]],
  ["f(string,uint256[2][])", '"a, b" [[1, 2]]', ["a, b", "[[1,2]]"]],
  ["f(uint256[])", "[1, 2]", ["[1,2]"]],
];
for (const [signature, args, cast] of known)
  test(`${signature} ${args}`, () => {
    const line = `call ${contract} "${signature}" ${args}`;
    assert.deepEqual(toCast(line), [contract, signature, ...cast]);
    assert.deepEqual(received(fromCast(contract, signature, ...cast), signature), received(line, signature));
  });

test("a pasted tuple is a call with its tuple, a deep one, too", () => {
  assert.equal(
    fromCast(contract, "f((uint256,bool))", "(1,true)"),
    `call ${contract} f((uint256,bool)) [1, true]`,
  );
  assert.equal(
    fromCast(contract, "f((uint256,(bool,string))[])", "[( 1 , ( true , 'a b' ) )]"),
    `call ${contract} f((uint256,(bool,string))[]) [[1, [true, "a b"]]]`,
  );
  const estimate = readCast(["estimate", contract, "f((uint256,bool))", "(1,true)"]).line;
  assert.match(estimate ?? "", /abi\("f\(\(uint256,bool\)\)", \[1, true\]\)/);
  // What is no value of the type stays for the user to see.
  assert.ok(fromCast(contract, "f((uint256,bool))", "1").endsWith(" 1"));
});

test("any texts in lists and tuples come back the same", () => {
  // cast has no escapes, so a text has one kind of quotes at most; it ends a value at a line end.
  const text = fc
    .oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("007", "true", "null", "day", "", " ", "[", "(", "a,b", "1e3", "0x1", "_"),
    )
    .filter(
      (one) => one.isWellFormed() && !(one.includes('"') && one.includes("'")) && !/\{\{|[\n\r]/.test(one),
    );
  const signature = "f((string a,uint256 n,string[] all)[] x,string s)";
  fc.assert(
    fc.property(
      fc.array(fc.record({ a: text, n: fc.nat(), all: fc.array(text, { maxLength: 3 }) }), { maxLength: 3 }),
      text,
      (list, s) => {
        const written = list.map(({ a, n, all }) => `[${JSON.stringify(a)}, ${n}, ${JSON.stringify(all)}]`);
        const line = `call ${contract} "${signature}" [${written.join(", ")}] ${JSON.stringify(s)}`;
        assert.deepEqual(received(fromCast(...toCast(line)), signature), received(line, signature));
      },
    ),
  );
});
