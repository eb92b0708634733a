import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  cutCallProblem,
  freeTextInput,
  readToolArguments,
  sentToolArguments,
  toolArgumentsProblem,
} from "../../../../src/shared/chat/toolArguments.ts";

const object = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true })
  .map((value): object => JSON.parse(JSON.stringify(value)));
const spaced = fc.tuple(object, fc.constantFrom(0, 1, 4, "\t"));

function objectOf(text: string): unknown {
  const read = readToolArguments(text);
  assert.equal(read.kind, "object", JSON.stringify(read));
  if (read.kind === "object") assert.deepEqual(JSON.parse(read.text), read.value);
  return read.kind === "object" ? read.value : undefined;
}

function problemOf(text: string) {
  const read = readToolArguments(text);
  assert.equal(read.kind, "invalid", text);
  return read.kind === "invalid" ? read.problem : assert.fail();
}

test("valid objects are read and sent back unchanged, whatever their layout", () => {
  fc.assert(
    fc.property(spaced, ([value, space]) => {
      const text = JSON.stringify(value, null, space);
      assert.deepEqual(objectOf(text), value);
      assert.equal(sentToolArguments(text), text);
    }),
  );
});

test("any text is sent back as a JSON object, and what was none is in it", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json(), fc.string()), (text) => {
      const sent: unknown = JSON.parse(sentToolArguments(text));
      assert.ok(typeof sent === "object" && sent !== null && !Array.isArray(sent));
      if (readToolArguments(text).kind === "invalid")
        assert.equal((sent as { readonly invalid_arguments?: unknown }).invalid_arguments, text);
    }),
  );
  for (const none of ["", " \n", "null", "{}"]) assert.equal(sentToolArguments(none), "{}");
  assert.ok(sentToolArguments("x".repeat(1_000_000)).length < 5000);
});

test("line breaks and control characters inside strings mean themselves", () => {
  const short: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
  const texts = fc.dictionary(
    fc.string(),
    fc.string({ unit: fc.constantFrom(...'ab\n\r\t\b\f\u0001\\"/') }),
    {
      noNullPrototype: true,
    },
  );
  fc.assert(
    fc.property(texts, (value) => {
      const raw = JSON.stringify(value).replace(
        /\\(?:u00([01][\da-f])|([nrtbf])|(.))/gs,
        (all, hex, letter) => {
          if (hex) return String.fromCharCode(Number.parseInt(hex, 16));
          return letter ? (short[letter] ?? all) : all;
        },
      );
      assert.deepEqual(objectOf(raw), JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("what else has one meaning is mended, and nothing more", () => {
  const value = { a: "it's", list: [1, 2] };
  for (const text of [
    `{"a":"it\\'s","list":[1,2]}`,
    `{"a":"it's","list":[1,2,],}`,
    `{"a":"it's","list":[1,2\n, ]\n,\n}`,
    '```json\n{"a":"it\'s","list":[1,2]}\n```',
    `\uFEFF{"a":"it's","list":[1,2]} \n`,
    JSON.stringify(`{"a":"it's","list":[1,2]}`),
    `{'a': "it's", 'list': [1, 2]}`,
    `{'a': 'it\\'s', 'list': [1, 2]}`,
    `{a: "it's", list : [1,2]}`,
    `{"a":"it's","list":[1,2]}{"a":"it's","list":[1,2]}`,
    `{"a":"it's","list":[1,2]}\n\n{"a":"it's","list":[1,2]}\n`,
    `{"a":"it's","list":[1,2]`,
    `{"a":"it's","list":[1,2]\n`,
  ])
    assert.deepEqual(objectOf(text), value);
  assert.deepEqual(objectOf(`{'a':'say "x"','b':'\\"\n'}`), { a: 'say "x"', b: '"\n' });
  assert.deepEqual(objectOf('{"a":True,"b":False,"c":[None],"d":"True"}'), {
    a: true,
    b: false,
    c: [null],
    d: "True",
  });
  const refused = [
    `{"a":"it's"}{"a":"b"}`,
    `{'a':'b's'}`,
    `{'a':'\\x41'}`,
    "{a b:1}",
    "{1:1}",
    "{a",
    `{"a":undefined}`,
    `{"a":true}{"a":tru}`,
    `{"a":1 "b":2}`,
    `{"a":"C:\\Users"}`,
    `{"a":NaN}`,
    `{"a":TRUE}`,
    `{"a":01}`,
    `{"a":1]`,
    `{,}`,
    `{"a",}`,
    `{"a":,}`,
    `[1,,2]`,
    `{"a":1,,}`,
    "[1]",
    '"text"',
    "7",
    "path=a.txt",
  ];
  for (const text of refused) assert.equal(problemOf(text).isCut, false, text);
});

test("the place of a fault is named by line and column", () => {
  const places: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, /a comma or \} is missing/],
    ['{"a": "x" "y"}', 1, 11, /a comma or \}/],
    ['{"list": [1 2]}', 1, 13, /a comma or \]/],
    ['{"a": "C:\\Users"}', 1, 10, /backslash is written \\\\/],
    ['{"a" 1}', 1, 6, /colon/],
    ["{\n  a-b: 1}", 2, 3, /name in double quotes/],
    ['{"a":1} extra', 1, 9, /more text after the object/],
    ['```json\n{"a":1}}\n```', 2, 8, /unexpected \}/],
    ["  [1]", 1, 3, /JSON object is expected/],
  ];
  for (const [text, line, column, words] of places) {
    const problem = problemOf(text);
    assert.deepEqual([problem.line, problem.column], [line, column], text);
    assert.match(problem.words, words);
    const told = toolArgumentsProblem(problem);
    assert.match(told, new RegExp(`not JSON, so the call was not run: line ${line}, column ${column}: `));
  }
});

test("each beginning of an object is cut, not wrong", () => {
  fc.assert(
    fc.property(spaced, fc.nat(), ([value, space], cut) => {
      const text = JSON.stringify(value, null, space);
      const beginning = text.slice(0, 1 + (cut % (text.length - 1)));
      const read = readToolArguments(beginning);
      // Only a last } may be missing, and only of an answer that the model has ended.
      if (read.kind === "object") {
        assert.deepEqual(JSON.parse(`${beginning}}`), read.value);
        assert.match(beginning.trimEnd(), /["\]}el]$/);
        for (const finishReason of ["length", null, undefined, "content_filter"])
          assert.match(
            cutCallProblem(beginning, true, { finishReason, tokens: 9 }) ?? "",
            /so the call was not run.*in parts/,
          );
        return;
      }
      assert.ok(read.problem.isCut, beginning);
      assert.match(toolArgumentsProblem(read.problem), /incomplete.*in parts/);
    }),
  );
});

test("a call inside which the answer was cut is told so, with the limit", () => {
  const end = { finishReason: "length", tokens: 4096 };
  const cut = /cut at its limit of 4,096 tokens, in the middle of this call, .*Write it in parts/;
  assert.match(cutCallProblem('{"text": "abc', false, end) ?? "", cut);
  assert.match(cutCallProblem("", true, end) ?? "", cut);
  assert.match(cutCallProblem("{", true, { ...end, tokens: undefined }) ?? "", /cut at its limit of tokens,/);
  assert.match(cutCallProblem("{", true, { ...end, finishReason: "MAX_TOKENS" }) ?? "", cut);
  assert.equal(cutCallProblem('{"text": "abc"}', true, end), undefined);
  assert.equal(cutCallProblem("", false, end), undefined);
  assert.equal(cutCallProblem("{oops", true, end), undefined);
  for (const finishReason of ["stop", "tool_calls", null, undefined])
    assert.equal(cutCallProblem('{"text": "abc', true, { ...end, finishReason }), undefined);
});

const patch = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch";

test("free text is the only text that a tool demands, and a patch that of its name; nothing is guessed", () => {
  const textsOf = (...names: readonly string[]) => ({
    properties: {
      ...Object.fromEntries(names.map((name) => [name, { type: "string" }])),
      all: { type: "boolean" },
    },
    required: [...names, "all"],
  });
  assert.deepEqual(freeTextInput("ls -l", true, textsOf("command")), { command: "ls -l" });
  assert.equal(freeTextInput("ls -l", false, textsOf("command")), undefined);
  assert.equal(freeTextInput("ls -l", true, textsOf("command", "cwd")), undefined);
  assert.equal(freeTextInput("ls -l", true, textsOf()), undefined);
  assert.equal(freeTextInput("ls -l", true, {}), undefined);
  for (const isCustom of [true, false]) {
    assert.deepEqual(freeTextInput(patch, isCustom, textsOf("patch")), { patch });
    assert.deepEqual(freeTextInput(patch, isCustom, textsOf("input", "explanation")), { input: patch });
  }
  assert.deepEqual(JSON.parse(sentToolArguments(patch)), { patch });
});

test("free text is cut if the answer ended with it at its limit; a patch says where it ends", () => {
  const end = { finishReason: "length", tokens: 9 };
  const cut = /^The answer was cut at its limit of 9 tokens/;
  assert.match(cutCallProblem("print(1", true, end, true) ?? "", cut);
  assert.equal(cutCallProblem("print(1)", false, end, true), undefined);
  for (const isCustom of [true, false]) {
    assert.equal(cutCallProblem(`${patch}\n`, true, end, isCustom), undefined);
    assert.match(cutCallProblem(patch.slice(0, -1), true, end, isCustom) ?? "", cut);
    const lost = { finishReason: undefined, tokens: 9 };
    assert.match(
      cutCallProblem(patch.slice(0, -1), true, lost, isCustom) ?? "",
      /incomplete.*line 3, column 13: \*\*\* End Patch is missing/,
    );
    assert.equal(
      cutCallProblem(patch.slice(0, -1), true, { ...lost, finishReason: "stop" }, isCustom),
      undefined,
    );
  }
});

test("a million brackets or commas are read without recursion", () => {
  for (const text of ["[".repeat(1e6), '{"a":'.repeat(1e6), "[1,".repeat(1e6), `{"a":"${"\n".repeat(1e6)}`])
    assert.ok(problemOf(text).isCut);
});
