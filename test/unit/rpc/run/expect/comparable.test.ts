// Exact comparisons against BigInt and viem, and patterns against JavaScript's own engine.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseEther, parseGwei } from "viem";
import { compilePattern } from "../../../../../src/rpc/language/parse/linearPattern.ts";
import {
  type Comparable,
  fromJson,
  parseDecimal,
  showNumber,
} from "../../../../../src/rpc/run/expect/comparable.ts";
import { BrokenExpectation, holds } from "../../../../../src/rpc/run/expect/compare.ts";
import { checkExpectations } from "../../../../../src/rpc/run/expect/expectations.ts";
import { Values } from "../../../../../src/rpc/run/expect/values.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { projectOf } from "../../notebook.ts";

const orders = {
  "==": (a: bigint, b: bigint) => a === b,
  "!=": (a: bigint, b: bigint) => a !== b,
  "<": (a: bigint, b: bigint) => a < b,
  "<=": (a: bigint, b: bigint) => a <= b,
  ">": (a: bigint, b: bigint) => a > b,
  ">=": (a: bigint, b: bigint) => a >= b,
} as const;
const operator = fc.constantFrom(...(Object.keys(orders) as (keyof typeof orders)[]));

/** The states of the expectations of a cell whose `a` has this result. */
async function statesOf(lines: readonly string[], result: unknown): Promise<readonly string[]> {
  const project = projectOf([["a = eth_getBalance 0x00 latest", ...lines].join("\n")]);
  const plan = planCellRun(project, 0);
  const round = {
    network: "ethereum-mainnet",
    lines: [{ outcome: { kind: "result", value: result as string } as const }],
    expectations: [],
    calls: [],
  };
  const loadEvm = async () => assert.fail("not needed");
  const task = { plan, network: "ethereum-mainnet" };
  const checked = await checkExpectations({ values: new Values(), loadEvm }, task, round);
  return checked.map(({ state }) => state);
}

/** Wei near the expected amount in half of the cases. */
const amounts = fc.bigInt({ min: 0n, max: 2n ** 96n }).chain((wei) =>
  fc.tuple(
    fc.constant(wei),
    fc.oneof(
      fc.bigInt({ min: -2n, max: 2n }).map((near) => (wei + near < 0n ? 0n : wei + near)),
      fc.bigInt({ min: 0n, max: 2n ** 96n }),
    ),
  ),
);

function inUnit(wei: bigint, unit: string): string {
  const decimals = { wei: 0, gwei: 9, ether: 18 }[unit] ?? 0;
  const digits = wei.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

test("10,000 expectations with units agree with viem and BigInt", async () => {
  const cases = fc.sample(fc.tuple(amounts, operator, fc.constantFrom("wei", "gwei", "ether")), {
    numRuns: randomCases(10_000),
    seed: 7,
  });
  const parse = { wei: BigInt, gwei: parseGwei, ether: parseEther };
  for (let at = 0; at < cases.length; at += 100) {
    const some = cases.slice(at, at + 100);
    const [[[actual]] = [[0n]]] = some;
    const lines = some.map(
      ([[, expected], sign, unit]) => `expect $a ${sign} ${inUnit(expected, unit)} ${unit}`,
    );
    const states = await statesOf(lines, `0x${actual.toString(16)}`);
    const wanted = some.map(([[, expected], sign, unit]) =>
      orders[sign](actual, parse[unit as "wei"](inUnit(expected, unit))) ? "passed" : "failed",
    );
    assert.deepEqual(states, wanted);
  }
});

test("decimals are exact, whatever their form", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.integer({ min: 0, max: 40 }), operator, fc.bigInt(), (a, places, sign, b) => {
      const form = (value: bigint): Comparable => {
        const text = showNumber({ kind: "number", digits: value, scale: places });
        const read = parseDecimal(text);
        assert.ok(read);
        return read;
      };
      assert.equal(holds(form(a), sign, form(b)), orders[sign](a, b));
      assert.equal(holds(parseDecimal(`${a}e-${places}`) as Comparable, "==", form(a)), true);
    }),
  );
});

test("JSON is equal to itself, contains its parts, and differs from others as in deepEqual", () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const attempt = (work: () => boolean) => {
    try {
      return work();
    } catch (error) {
      if (error instanceof BrokenExpectation) return false;
      throw error;
    }
  };
  fc.assert(
    fc.property(json, json, (a, b) => {
      assert.equal(holds(fromJson(a), "==", fromJson(structuredClone(a))), true);
      assert.equal(
        attempt(() => holds(fromJson([b, a]), "contains", fromJson(a))),
        true,
      );
      const isSame = attempt(() => holds(fromJson(a), "==", fromJson(b)));
      // Numbers may be written as text, and hex digits in each case.
      if (isSame && !/\d|0x/.test(JSON.stringify([a, b]))) assert.deepEqual(a, b);
    }),
  );
});

test("names such as constructor are only data", () => {
  const value = fromJson(JSON.parse('{"__proto__": 1, "constructor": "x"}'));
  assert.equal(holds(value, "contains", fromJson(JSON.parse('{"__proto__": 1}'))), true);
  assert.equal(holds(fromJson({}), "contains", fromJson({ constructor: "x" })), false);
});

test("large and deep values end with a sentence", () => {
  const long = fromJson(Array.from({ length: 300_000 }, () => 1));
  assert.throws(() => holds(long, "==", long), /compares more than 200,000 values/);
  let deep: unknown = 1;
  for (let at = 0; at < 100_000; at++) deep = [deep];
  assert.throws(() => holds(fromJson(deep), "==", fromJson(deep)), /nested more than 500 deep/);
  assert.throws(
    () => holds(fromJson("a".repeat(200_000)), "matches", fromJson("b")),
    /too long for this pattern/,
  );
  assert.equal(parseDecimal("1e999999999"), undefined);
});

describe("patterns", () => {
  const atom = fc.constantFrom(
    "a",
    "b",
    "0",
    ".",
    "\\d",
    "\\w",
    "\\s",
    "\\D",
    "[ab]",
    "[^a]",
    "[a-c0-9]",
    "\\.",
    "\\x61",
    "\\n",
    "\\n0",
    "(?:)",
    "x",
    "-",
  );
  const { pattern } = fc.letrec<{ pattern: string; sequence: string; part: string }>((tie) => ({
    pattern: fc.oneof(
      tie("sequence"),
      fc.tuple(tie("sequence"), tie("sequence")).map(([a, b]) => `${a}|${b}`),
    ),
    sequence: fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
    part: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc
        .tuple(atom, fc.constantFrom("*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"))
        .map(([a, sign]) => a + sign),
      fc
        .tuple(tie("pattern"), fc.constantFrom("", "*", "+", "?", "{1,2}"))
        .map(([inner, sign]) => `(${inner})${sign}`),
      tie("pattern").map((inner) => `(?:${inner})`),
      fc.constantFrom("^", "$"),
    ),
  }));

  test("match the same texts as JavaScript", () => {
    const text = fc.string({ unit: fc.constantFrom(..."ab0 .x-A_\n"), maxLength: 12 });
    fc.assert(
      fc.property(pattern, text, (source, given) => {
        let compiled: ReturnType<typeof compilePattern>;
        try {
          compiled = compilePattern(source);
        } catch (error) {
          assert.match(String(error), /states|nested/);
          return;
        }
        assert.equal(
          compiled.test(given),
          new RegExp(source).test(given),
          `${source} on ${JSON.stringify(given)}`,
        );
      }),
      { numRuns: randomCases(3_000) },
    );
  });

  test("refuse what needs backtracking, and invalid syntax", () => {
    for (const source of [
      "(a)\\1",
      "(?=a)",
      "(?<n>a)",
      "\\p{L}",
      "\\bword",
      "(a",
      "a)",
      "*a",
      "a**",
      "[a",
      "[b-a]",
      "a{3,1}",
      "\\",
    ])
      assert.throws(() => compilePattern(source), Error, source);
    assert.throws(() => compilePattern("(a{99}){99}"), /more than 1000 states/);
    assert.throws(() => compilePattern("(".repeat(60) + ")".repeat(60)), /nested/);
  });

  test("repeated empty operands end, however they are nested", () => {
    for (const empty of ["(?:)", "()", "(?:(?:))"]) {
      const nested = Array.from({ length: 10 }).reduce<string>((inner) => `(?:${inner}){9999}`, empty);
      assert.equal(compilePattern(`^${nested}a$`).test("a"), true);
    }
  });

  test("a class counts with its parts, so a long one is refused for a long text", () => {
    const pattern = `[${"\\u4e00".repeat(20_000)}]`;
    assert.ok(compilePattern(pattern).steps > 20_000);
    const [long, short]: Comparable[] = [100_000, 100].map((length) => ({
      kind: "text",
      text: "x".repeat(length),
    }));
    assert.throws(() => long && holds(long, "matches", { kind: "text", text: pattern }), BrokenExpectation);
    assert.equal(short && holds(short, "matches", { kind: "text", text: pattern }), false);
  });

  test("take steps in proportion to the text where backtracking takes exponentially many", () => {
    const { test: matches } = compilePattern("^(a+)+$");
    assert.equal(matches(`${"a".repeat(50_000)}b`), false);
    assert.equal(matches("a".repeat(50_000)), true);
  });
});
