import { type KnownCode, readKnownCode } from "../../../shared/simpleCode/explainable.ts";
import type { JsValue } from "../../../shared/simpleCode/expression.ts";
import {
  callFunction,
  type Language,
  newCallBudget,
  type Parameter,
  type SimpleFunction,
} from "../../../shared/simpleCode/functions.ts";
import { fenced } from "../../../shared/text/fence.ts";
import { fileName } from "../../../shared/text/fileName.ts";

/** A block of code in a question. */
export interface QuotedCode {
  /** The info string of its fence. */
  readonly language: string;
  readonly code: string;
  /** The file name in the line above the fence. */
  readonly file: string | undefined;
}

/** Values for a parameter: a usual one and an edge case. */
export const sampleValues: Readonly<Record<Parameter["kind"], readonly [JsValue, JsValue]>> = {
  string: ["Ada", ""],
  number: [2, 3],
  boolean: [true, false],
};

interface Example {
  readonly values: readonly JsValue[];
  readonly result: JsValue;
  readonly call: string;
  readonly shown: string;
}

/** Calls with known results: with the usual values, and with each edge case. */
export function examplesOf(one: SimpleFunction, code: KnownCode): Example[] {
  const first = one.parameters.map(({ kind }, index) =>
    kind === "number" ? 2 + (index % 2) : sampleValues[kind][0],
  );
  const rows: JsValue[][] = [
    first,
    ...one.parameters.map(({ kind }, at) =>
      first.map((value, index) => (index === at ? sampleValues[kind][1] : value)),
    ),
  ];
  const known = new Set<string>();
  const budget = newCallBudget();
  return rows.flatMap((values) => {
    const result = callFunction(one, values, code.functions, budget);
    const call = `${one.name}(${values.map((value) => literal(value, code.language)).join(", ")})`;
    if (result === undefined || known.has(call)) return [];
    known.add(call);
    return [{ values, result, call, shown: literal(result, code.language) }];
  });
}

function literal(value: JsValue, language: Language): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "boolean" && language === "python") return value ? "True" : "False";
  return String(value);
}

/** Tests of exported functions, with known results. */
export function writeTests(block: QuotedCode): string | undefined {
  const code = readKnownCode(block.code, block.language);
  if (!code) return undefined;
  const tested = code.functions
    .filter(({ isExported }) => isExported)
    .map((one) => ({ name: one.name, examples: examplesOf(one, code) }))
    .filter(({ examples }) => examples.length > 0);
  if (tested.length === 0) return undefined;
  return code.language === "python" ? pythonTests(block, tested) : scriptTests(block, tested);
}

type Tested = readonly { readonly name: string; readonly examples: readonly Example[] }[];

function scriptTests({ file = "code.ts" }: QuotedCode, tested: Tested): string {
  const base = fileName(file);
  const [, stem = base, ending = "ts"] = /^(.+)\.(\w+)$/.exec(base) ?? [];
  const names = tested.map(({ name }) => name).join(", ");
  const tests = tested.flatMap(({ examples }) =>
    examples.map(
      ({ call, shown }) => `test(${JSON.stringify(call)}, () => {\n  assert.equal(${call}, ${shown});\n});`,
    ),
  );
  const text = [
    `import assert from "node:assert/strict";\nimport { test } from "node:test";\nimport { ${names} } from "./${base}";`,
    ...tests,
  ].join("\n\n");
  return [
    `Save this as \`${stem}.test.${ending}\` beside \`${base}\` and run it with \`node --test ${stem}.test.${ending}\` (Node 24 runs TypeScript as it is).`,
    fenced(text, /^tsx?$/.test(ending) ? "typescript" : "javascript"),
  ].join("\n\n");
}

function pythonTests({ file = "code.py" }: QuotedCode, tested: Tested): string {
  const stem = fileName(file).replace(/\.py$/, "");
  const tests = tested.map(
    ({ name, examples }) =>
      `def test_${name}():\n${examples.map(({ call, shown }) => `    assert ${call} == ${shown}`).join("\n")}`,
  );
  const imports = `from ${stem} import ${tested.map(({ name }) => name).join(", ")}`;
  return [
    `Save this as \`test_${stem}.py\` beside \`${stem}.py\` and run it with \`pytest\`.`,
    fenced([imports, ...tests].join("\n\n\n"), "python"),
  ].join("\n\n");
}
