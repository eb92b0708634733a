// Calls of random functions have the same bytes here, in viem and in the real cast, also after they were copied as a
// command of cast and after a command of cast was pasted.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { test } from "node:test";
import { promisify } from "node:util";
import { encodeFunctionData, parseAbi } from "viem";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { readWords, usualNode } from "../../../../../src/rpc/exchange/request/readRequest.ts";
import { wireOf } from "../../../../../src/rpc/exchange/request/wireOf.ts";
import { castCall } from "../../../../../src/rpc/exchange/request/writeCall.ts";
import { refusalOf } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { projectOf } from "../../notebook.ts";
import { createRandom } from "../../randomCalls.ts";
import { randomFunction } from "./randomSignatures.ts";

const contract = `0x${"11".repeat(20)}`;
const all = 2_000;

/** The functions, which are the same in each run, with their bytes by viem. */
function functions(count: number) {
  const random = createRandom(35);
  return Array.from({ length: count }, () => {
    const { signature, args } = randomFunction(random);
    const abi = parseAbi([`function ${signature}`] as readonly string[]);
    const values: readonly unknown[] = args.map(({ value }) => value);
    const data = encodeFunctionData({ abi, functionName: "f", args: values });
    const line = `call ${contract} ${signature} ${args.map((arg) => arg.line).join(" ")}`;
    return { signature, args, line, data };
  });
}

/** The only item of a line. */
function wireItem(line: string) {
  const project = projectOf([line]);
  assert.equal(refusalOf(project, 0, evm), undefined, line);
  const [item] = wireOf(project, 0, evm, () => undefined).items;
  return item ?? assert.fail(line);
}

/** The bytes that a line sends. */
function dataOf(line: string): unknown {
  const [call] = wireItem(line).params;
  return (call as { readonly data: unknown }).data;
}

/** The bytes of what `Copy As cast` gives, and its words after the contract. */
function copied(line: string): { readonly words: readonly string[]; readonly data?: string | undefined } {
  const { call, params } = wireItem(line);
  const { options, words } = castCall(call ?? assert.fail(line), (params[0] as { data: unknown }).data);
  return { words, data: options[options.indexOf("--data") + 1] };
}

test("a call of any function has the bytes of viem: as a line, in abi(…), copied as cast and pasted", () => {
  for (const { signature, args, line, data } of functions(randomCases(all))) {
    assert.equal(dataOf(line), data, line);
    const values = [JSON.stringify(signature), ...args.map((arg) => arg.line)].join(", ");
    assert.equal(dataOf(`eth_call { to: ${contract}, data: abi(${values}) } latest`), data, line);
    const words = ["--", contract, signature, ...args.map(({ cast }) => cast)];
    assert.equal(dataOf(readWords(["cast", "call", ...words], usualNode)?.text ?? ""), data, line);
    const back = readWords(["cast", "call", ...copied(line).words], usualNode)?.text ?? "";
    assert.equal(dataOf(back), data, back);
  }
});

test("the real cast makes the same bytes from what is copied, and from what is pasted", async () => {
  const cast = await castProgram();
  const queue = functions(randomCases(all));
  const take = async () => {
    for (let next = queue.pop(); next; next = queue.pop()) {
      const { signature, args, line, data } = next;
      const { words } = copied(line);
      const given = words[0] === "--" ? words.slice(2) : words.slice(1);
      assert.equal(await cast(given), data, line);
      assert.equal(await cast([signature, ...args.map((arg) => arg.cast)]), data, line);
    }
  };
  await Promise.all([take(), take()]);
});

/** Runs `cast calldata`. */
async function castProgram(): Promise<(words: readonly string[]) => Promise<string>> {
  const processor = process.arch === "x64" ? "amd64" : process.arch;
  const binary = process.platform === "win32" ? "cast.exe" : "cast";
  const name = `@foundry-rs/cast-${process.platform}-${processor}/bin/${binary}`;
  const path = createRequire(import.meta.resolve("@foundry-rs/cast/package.json")).resolve(name);
  const run = promisify(execFile);
  return async (words) => {
    const { stdout } = await run(path, ["calldata", "--", ...words], { maxBuffer: 10_000_000 });
    return stdout.trim();
  };
}

test("a text with both kinds of quotes, which cast can't read in a list, is copied as bytes", () => {
  const line = `call ${contract} f(string[]) ["'a\\", b"]`;
  assert.deepEqual(copied(line), { words: [contract], data: dataOf(line) });
  // At the end of a text, blanks stay only in quotes.
  assert.deepEqual(copied(`call ${contract} f(string) "a "`).words, [contract, "f(string)", '"a "']);
});

const pasted: readonly (readonly [type: string, cast: string, line: string])[] = [
  ["uint256", "1e30", "1e30"],
  ["uint256", "1.5ether", "1.5 ether"],
  ["uint256[]", "[1 ether, 2gwei,]", "[1 ether, 2 gwei]"],
  ["uint8", "0b101", "5"],
  ["int8", "-0x5", "-5"],
  ["bytes", "abcd", "0xabcd"],
  ["bytes2[]", "[abcd,0x0001]", "[0xabcd, 0x0001]"],
  ["address", "00000000000000000000000000000000000000aa", "0x00000000000000000000000000000000000000aa"],
  ["string", "'a b'", '"a b"'],
];
for (const [type, cast, line] of pasted)
  test(`cast's ${cast} as ${type} is ${line}`, () => {
    const read = readWords(["cast", "call", contract, `f(${type})`, "--", cast], usualNode);
    assert.equal(read?.text, `call ${contract} f(${type}) ${line}`);
    assert.match(String(dataOf(read?.text ?? "")), /^0x/);
  });

test("1e30 is the exact number", () => {
  assert.equal(
    dataOf(`call ${contract} f(uint256) 1e30`),
    dataOf(`call ${contract} f(uint256) ${10n ** 30n}`),
  );
});

const filters: readonly (readonly [words: readonly string[], line: string])[] = [
  [["E(address indexed a,address indexed b,uint256 c)", "", contract], `_ ${contract}`],
  // cast gives a value to each input, and ignores those that are not indexed.
  [["E(uint256 a,address indexed b)", "", contract], contract],
  [["E(string indexed a)", "007"], '"007"'],
  [["E(uint256 indexed a)", "1ether"], "1 ether"],
  [["E((uint256,bool) indexed a)", "(1,true)"], "[1, true]"],
];
for (const [words, line] of filters)
  test(`cast logs ${words.join(" ")}`, () => {
    const text = readWords(["cast", "logs", ...words], usualNode)?.text ?? "";
    assert.equal(text, `logs _ ${JSON.stringify(words[0])} ${line}`);
    assert.equal(refusalOf(projectOf([text]), 0, evm), undefined);
  });
