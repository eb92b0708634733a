import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { cleanCompletion } from "../../../../src/completions/context/cleanCompletion.ts";
import { shapeAt } from "../../../../src/completions/context/cursorContext.ts";

interface Sample {
  /** The document; `¦` is the cursor. */
  readonly at: string;
  readonly answer: string;
  readonly text: string;
  readonly languageId?: string;
}

/** The text that is inserted, with the shape that the cursor asks for. */
function completed({ at, answer, languageId = "typescript" }: Omit<Sample, "text">): string {
  const [before = "", after = ""] = at.split("¦");
  const shape = shapeAt({ before, after });
  const tabSize = /^\t/m.test(before) ? 4 : undefined;
  return cleanCompletion(answer, {
    before,
    after,
    shape: shape === "none" ? "one" : shape,
    tabSize,
    languageId,
  });
}

const samples: Readonly<Record<string, Sample>> = {
  "the head of the function": {
    at: "def add(a, b):\n    ¦",
    answer: "def add(a, b):\n    return a + b",
    text: "return a + b",
  },
  "a whole function, whose comment the answer leaves out": {
    at: "function add(a, b) {\n  // The sum.\n  return ¦\n}\n",
    answer: "function add(a, b) {\n  return a + b;\n}",
    text: "a + b;",
  },
  "a whole method, with a docstring": {
    at: 'class A:\n    def add(self, a):\n        """Adds."""\n        ¦\n',
    answer: "    def add(self, a):\n        self.sum += a\n        return self.sum",
    text: "self.sum += a\n        return self.sum",
  },
  "a head of the same form further up is no repetition": {
    at: "if (a) {\n  b();\n}\n¦",
    answer: "if (a) {\n  c();\n}",
    text: "if (a) {\n  c();\n}",
  },
  "more lines than a handful": {
    at: `${"abcdefgh"
      .split("")
      .map((name) => `const ${name} = load("${name}");\n`)
      .join("")}const i = ¦`,
    answer: `${"abcdefgh"
      .split("")
      .map((name) => `const ${name} = load("${name}");\n`)
      .join("")}const i = load("i");`,
    text: 'load("i");',
  },
  "lines with a blank one between": {
    at: "import a\n\nimport b\n\ndef f():\n    return ¦",
    answer: "import b\n\ndef f():\n    return a.x",
    text: "a.x",
  },
  "lines before, and nothing else": { at: "a = 1\nb = 2\n¦", answer: "a = 1\nb = 2", text: "" },
  "the whole file": {
    at: "const a = 1;\nconst b = ¦;\nconst c = 3;\nexport { a, b, c };\n",
    answer: "const a = 1;\nconst b = 2;\nconst c = 3;\nexport { a, b, c };\n",
    text: "2",
  },
  "the line with other spaces": { at: "x=foo( ¦", answer: "x = foo(y)", text: "y)" },
  "the word at the cursor": { at: "cons¦", answer: "const a = 1;", text: "t a = 1;" },
  "the last word of the line": { at: "return total¦", answer: "total + 1;", text: " + 1;" },
  "a name of one letter": { at: "for (let i¦", answer: "i = 0; i < n; i++) {", text: " = 0; i < n; i++) {" },
  "a letter that begins a word": { at: "const a¦", answer: "bc = 1;", text: "bc = 1;" },
  "the last call of the line": { at: "  console.log(¦", answer: "log(value);", text: "value);" },
  "the second half of a condition": { at: "if (x === 1 || x === ¦", answer: "x === 2) {", text: "2) {" },
  "the end of a word is another word": { at: "const la¦", answer: "a = 1;", text: "a = 1;" },
  "a string after a string": { at: 'x = "a"¦', answer: '"b"', text: '"b"' },
  "a word twice in prose": {
    at: "It is the end of the ¦",
    answer: "the story.",
    text: "story.",
    languageId: "markdown",
  },
  "the mark of a comment": { at: "// ¦", answer: "// The sum.", text: "The sum." },
  "the mark of a comment after code": { at: "x = 1  # ¦", answer: "# one", text: "one" },
  "the star of a doc comment": {
    at: "/**\n * ¦\n */",
    answer: "* The sum.\n * @returns it",
    text: "The sum.",
  },
  "the mark of a list": { at: "- one\n- ¦", answer: "- two", text: "two", languageId: "markdown" },
  "the number of a list": { at: "1. one\n2. ¦", answer: "2. two", text: "two", languageId: "markdown" },
  "an operator with a space": { at: "a && ¦", answer: "&& b", text: "b" },
  "an operator that the answer makes longer": { at: "if (x =¦", answer: "== 3)", text: "== 3)" },
  "a minus of a number": { at: "x - ¦", answer: "-1", text: "-1" },
  "the dot of a member": { at: "list.¦", answer: ".map((x) => x)", text: "map((x) => x)" },
  "dots of a spread": { at: "f(.¦", answer: "..rest)", text: "..rest)" },
  "a colon pair": { at: "std::¦", answer: "::string s;", text: "string s;" },
  "the at sign": { at: "@¦", answer: "@override", text: "override" },
  "the bracket of an element": { at: "<¦", answer: "<div>", text: "div>" },
  "the bracket of parameters": { at: "function add(¦", answer: "(a, b) {", text: "a, b) {" },
  "the brackets of a call": { at: "call(¦)", answer: "(a, b)", text: "a, b" },
  "brackets of an arrow function": { at: "list.map(¦)", answer: "(x) => x", text: "(x) => x" },
  "the quotation marks": { at: 'from "¦"', answer: '"node:fs"', text: "node:fs" },
  "the first quotation mark": { at: 'x = "¦', answer: '"hello"', text: 'hello"' },
  "a second string of a list": { at: '["¦"]', answer: 'a", "b', text: 'a", "b' },
  "the end of a call": { at: "print(¦);", answer: "hello);", text: "hello" },
  "the end of a call in a call": { at: "call(¦);", answer: "foo(bar);", text: "foo(bar)" },
  "quotation mark and bracket": { at: "f('¦')", answer: "it')", text: "it" },
  "an apostrophe": { at: "f('¦')", answer: "it's')", text: "it's" },
  "the head of a block": { at: "if (¦) {\n}", answer: "x > 0) {", text: "x > 0" },
  "the end of an element": { at: "<div ¦>", answer: 'class="x">', text: 'class="x"' },
  "an angle bracket of its own": {
    at: "Array<¦>",
    answer: "Map<string, number>",
    text: "Map<string, number>",
  },
  "an angle bracket": { at: "Array<¦>", answer: "string>", text: "string" },
  "the end of a comment": { at: "/* todo: ¦ */", answer: "x */", text: "x" },
  "the end of a comment, with its start": { at: "/* todo: ¦ */", answer: "/* todo: x */", text: "x" },
  "the end of a comment in JSX": { at: "{/* ¦ */}", answer: "x */}", text: "x" },
  "the end of a comment of HTML": { at: "<!-- ¦ -->", answer: "<!-- note -->", text: "note" },
  "the end of a comment of Haskell": { at: "{- ¦ -}", answer: "x -}", text: "x" },
  "the end of a docstring": { at: '"""¦"""', answer: 'Adds."""', text: "Adds." },
  "a template tag": { at: "{{ ¦ }}", answer: "name }}", text: "name" },
  "a tag of a script": { at: "<% ¦ %>", answer: "name %>", text: "name" },
  "what follows in the line": { at: "const s = ¦ + b;", answer: "a + b;", text: "a" },
  "the next lines, with a blank one between": {
    at: "function a() {\n  ¦\n}\n\nfunction b() {\n}\n",
    answer: "run();\n}\n\nfunction b() {\n}",
    text: "run();",
  },
  "the end of the block, and another text": {
    at: "function a() {\n  ¦\n}\nlast();\n",
    answer: "run();\n}\n\nother();",
    text: "run();",
  },
  "the end of a block of its own": {
    at: "function a() {\n  ¦\n}\n",
    answer: "if (x) {\n    run();\n  }",
    text: "if (x) {\n    run();\n  }",
  },
  "a word that ends a block of its own": {
    at: "def a\n  ¦\nend\n",
    answer: "if x\n    run\n  end",
    text: "if x\n    run\n  end",
    languageId: "ruby",
  },
  "a word that ends the block": {
    at: "def a\n  ¦\nend\n",
    answer: "run\nend",
    text: "run",
    languageId: "ruby",
  },
  "an element of its own": {
    at: "<div>\n  ¦\n</div>",
    answer: '<div id="a">\n  </div>',
    text: '<div id="a">\n  </div>',
    languageId: "html",
  },
  "the end of the element around": {
    at: "<div>\n  ¦\n</div>",
    answer: "<p>a</p>\n</div>",
    text: "<p>a</p>",
    languageId: "html",
  },
  "the next line, cut": {
    at: "{\n  ¦\n  const total = compute(a, b);\n}",
    answer: "start();\n  const total = comp",
    text: "start();",
  },
  "a function further down": {
    at: "def a():\n    ¦\n\nx = 1\n\ndef b(first):\n    pass\n",
    answer: "return 1\n\ndef b(first):\n    return 2",
    text: "return 1",
    languageId: "python",
  },
  "the next line as the first": {
    at: "{\n  ¦\n  done();\n}",
    answer: "done();\n  more();",
    text: "",
  },
  "the next line, typed once more": { at: "const to¦\nconst total = 1;\n", answer: "tal = 1;", text: "" },
  "the fence": { at: "x = ¦", answer: "```py\nx = 1\n```", text: "1" },
  "a fence in one line": { at: "x = ¦", answer: "```1```", text: "1" },
  "a fence that only ends": { at: "def f():\n    ¦", answer: "return 1\n```", text: "return 1" },
  "a fence of a Markdown file": {
    at: "Example:\n\n¦",
    answer: "```js\na();\n```",
    text: "```js\na();\n```",
    languageId: "markdown",
  },
  "a fence within a fence of a Markdown file": {
    at: "```js\n¦\n```\n",
    answer: "```js\na();\n```",
    text: "a();",
    languageId: "markdown",
  },
  "the indentation of a block that was written from column 0": {
    at: "def f():\n    ¦",
    answer: "if x:\n    return 1",
    text: "if x:\n        return 1",
  },
  "tabs in a document with spaces": {
    at: "if (a) {\n  ¦\n}",
    answer: "if (b) {\n\t\tc();\n\t}",
    text: "if (b) {\n    c();\n  }",
  },
};

for (const [name, { text, ...sample }] of Object.entries(samples))
  test(`a completion does not repeat: ${name}`, () => assert.equal(completed(sample), text));

const tokens = [
  "<|endoftext|>",
  "<|im_end|>",
  "<|eot_id|>",
  "<|end|>",
  "<|fim_pad|>",
  "<|file_sep|>",
  "<|file_separator|>",
  "<|END_OF_TURN_TOKEN|>",
  "<|return|>",
  "<|cursor|>",
  "<fim_suffix>",
  "<file_sep>",
  "<end_of_turn>",
  "<EOT>",
  "▁<EOT>",
  " <EOT>",
  "<eos>",
  "</s>",
  "[/INST]",
  "<CURSOR>",
  "<｜end▁of▁sentence｜>",
  "<｜fim▁end｜>",
  "<|endof",
  "</s",
  "</before>",
];

for (const token of tokens)
  test(`a completion ends before ${token}`, () => {
    assert.equal(completed({ at: "const a = ¦;", answer: `1${token}` }), "1");
    assert.equal(completed({ at: "const a = ¦;", answer: `1;${token}` }), "1");
  });

const templates: Readonly<Record<string, string>> = {
  "a token in front": "<|fim_middle|>1",
  "the template of a file": "<fim_prefix>const a = <fim_suffix>;<fim_middle>1<|endoftext|>",
  "the template of Code Llama": "<PRE> const a = <SUF>; <MID> 1 <EOT>",
  "the template of Mistral": "[SUFFIX];[PREFIX]const a = 1",
  "the template of DeepSeek": "<｜fim▁begin｜>const a = <｜fim▁hole｜>;<｜fim▁end｜>1",
  "a turn of ChatML": "<|im_start|>assistant\n1<|im_end|>",
  "a turn of Llama": "<|start_header_id|>assistant<|end_header_id|>\n\n1<|eot_id|>",
  "a turn of Gemma": "<start_of_turn>model\n1<end_of_turn>",
  "a turn of gpt-oss": "<|channel|>final<|message|>1<|return|>",
  "an instruction": "<s>[INST] Complete it [/INST] 1</s>",
  reasoning: "<think>\nIt is a number.\n</think>\n\n1",
  "reasoning without its start": "It is a number.</think>1",
};

for (const [name, answer] of Object.entries(templates))
  test(`a completion has no template: ${name}`, () =>
    assert.equal(completed({ at: "const a = ¦;", answer }), "1"));

test("tokens stay where the file is about them, and operators are no tokens", () => {
  assert.equal(completed({ at: "ends = ['<|im_end|>', ¦]", answer: "'<|eot_id|>'" }), "'<|eot_id|>'");
  assert.equal(completed({ at: "f <| x |> g\ny = ¦", answer: "f <| y<|im_end|>" }), "f <| y");
  assert.equal(completed({ at: "<p><s>old</s> <s>¦", answer: "older</s>", languageId: "html" }), "older</s>");
  assert.equal(completed({ at: "y = ¦", answer: "<think>It is" }), "");
});

const statement = fc
  .tuple(fc.constantFrom("alpha", "beta", "gamma", "delta", "omega"), fc.nat(99_999), fc.nat(2))
  .map(([name, value, kind]) => {
    if (kind === 0) return `const ${name}${value} = load(${name});`;
    return kind === 1 ? `${name}(${value}, [${value}]);` : `if (${name} > ${value}) ${name}${value}();`;
  });
const statements = fc.uniqueArray(statement, { minLength: 1, maxLength: 6 });
const wrappings = [
  (text: string) => text,
  (text: string) => `\`\`\`ts\n${text}\n\`\`\``,
  (text: string) => `${text}<|endoftext|>`,
  (text: string) => `Here it is:\n\`\`\`\n${text}\n\`\`\`\nDone.`,
];

test("whatever an answer repeats around the missing lines, the document is as it was meant", () => {
  const repeats = fc.record({
    above: fc.nat(7),
    below: fc.nat(7),
    wrap: fc.nat(wrappings.length - 1),
    cut: fc.nat(20),
  });
  fc.assert(
    fc.property(
      statements,
      statements,
      statements,
      repeats,
      (first, middle, last, { above, below, wrap, cut }) => {
        const all = [...first, ...middle, ...last];
        if (new Set(all).size < all.length) return;
        const head = "function outer(alpha) {";
        const inner = (lines: readonly string[]) => lines.map((line) => `  ${line}`);
        const top = [head, ...inner(first)];
        const bottom = [...inner(last), "}"];
        const [line = "", ...others] = middle;
        const start = line.slice(0, Math.min(cut, line.length - 1)).trimEnd();
        const before = `${top.join("\n")}\n  ${start}`;
        const after = `\n${bottom.join("\n")}\n`;
        const said = [
          ...top.slice(top.length - Math.min(above, top.length)),
          ...inner(middle),
          ...bottom.slice(0, below),
        ].join("\n");
        const answer = (wrappings[wrap] ?? wrappings[0] ?? String)(said);
        const text = cleanCompletion(answer, { before, after, shape: "several", tabSize: undefined });
        const meant = `${top.join("\n")}\n${inner([line, ...others]).join("\n")}\n${bottom.join("\n")}\n`;
        assert.equal(before + text + after, meant);
      },
    ),
  );
});

test("within a line, neither its start nor its end is repeated", () => {
  const value = fc.constantFrom("total", "list[0]", "sum(a, b)", '"text"', "{ a: [1] }", "Map<A, B>", "'it'");
  const end = fc.constantFrom(");", ")", "];", "}", '"', "'", "`;", ") {", " */", " -->", "});", "))");
  const start = fc.constantFrom("call(", "const name = load(", "  return wrap(", "if (check(");
  const run = fc.record({ echo: fc.boolean(), more: fc.nat(4) });
  fc.assert(
    fc.property(start, value, end, run, (line, middle, rest, { echo, more }) => {
      const said = (echo ? line : "") + middle + rest.slice(0, more);
      const before = `first();\n${line}`;
      const text = cleanCompletion(said, {
        before,
        after: `${rest}\nlast();`,
        shape: "one",
        tabSize: undefined,
      });
      assert.equal(text, middle);
    }),
  );
});
