import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { placeSnippet } from "../../../src/features/chat/code/placeSnippet.ts";
import { type Proposed, proposedText } from "../../../src/features/chat/code/proposedText.ts";
import { toTextLines, withEdits } from "../../../src/features/chat/code/textLines.ts";

const shop = `import { money } from "./money";
import { log } from "./log";

/** A basket. */
export class Basket {
  items = [];

  add(item) {
    this.items.push(item);
    log("added", item);
  }

  total() {
    let sum = 0;
    for (const item of this.items) {
      sum += item.price;
    }
    return sum;
  }

  clear() {
    this.items = [];
  }
}

export class Order {
  constructor(basket) {
    this.basket = basket;
  }

  send() {
    return fetch("/orders", { method: "POST" });
  }
}

export function format(value) {
  return money(value);
}
`;
const total = shop.slice(shop.indexOf("  total() {"), shop.indexOf("  clear() {") - 2);
const newTotal = "  total() {\n    return this.items.reduce((sum, { price }) => sum + price, 0);\n  }";
const dedented = newTotal.replace(/^ {2}/gm, "");
const shopWith = (old: string, fresh: string) => {
  assert.equal(shop.split(old).length, 2, old);
  return shop.replace(old, () => fresh);
};

const script = `"""Reads readings."""
import csv


def read(path):
    with open(path) as file:
        return list(csv.reader(file))


@cached
def mean(rows):
    # Adds all
    total = 0
    for row in rows:
        total += float(row[1])

    return total / len(rows)


if __name__ == "__main__":
    print(mean(read("a.csv")))
`;
const styles = `.card {
  color: red;
  padding: 4px;
}

.card:hover {
  color: blue;
}

@media print {
  .card {
    display: none;
  }
}
`;
const manifest = `{
  "name": "shop",
  "scripts": {
    "build": "tsc",
    "test": "node --test"
  },
  "dependencies": {
    "money": "1.0.0"
  }
}
`;
const tests = `describe("basket", () => {
  it("adds", () => {
    check(add(1));
  });

  it("clears", () => {
    check(clear());
  });
});
`;
const server = `package main

func main() {
	start(8080)
}

func start(port int) {
	listen(port)
}
`;
const allman = `void first()
{
    one();
}

void second()
{
    two();
}
`;
const twins = `function a() {
  return 1;
}
function a() {
  return 1;
}
`;

/** What is tried: the file, the block, its language, and the file afterwards; `null` where nothing is to be proposed. */
type Case = readonly [what: string, file: string, code: string, language: string, after: string | null];

const cases: readonly Case[] = [
  ["a method in the middle of a class", shop, newTotal, "js", shopWith(total, newTotal)],
  ["the same written without its indentation", shop, dedented, "js", shopWith(total, newTotal)],
  [
    "the same with a comment above that is new",
    shop,
    `// Sums\n${dedented}`,
    "js",
    shopWith(total, `  // Sums\n${newTotal}`),
  ],
  [
    "a function at the end",
    shop,
    "export function format(value) {\n  return money(value).trim();\n}",
    "ts",
    shopWith("money(value);", "money(value).trim();"),
  ],
  [
    "a class with a new doc comment",
    shop,
    '/** An order. */\nexport class Order {\n  constructor(basket) {\n    this.basket = basket;\n  }\n\n  send() {\n    return post("/orders");\n  }\n}',
    "js",
    shopWith("export class Order {", "/** An order. */\nexport class Order {").replace(
      'fetch("/orders", { method: "POST" })',
      'post("/orders")',
    ),
  ],
  [
    "a doc comment in other words",
    "/** Old. */\nfunction f() {\n  go();\n}\n",
    "/** New. */\nfunction f() {\n  go(1);\n}",
    "js",
    "/** New. */\nfunction f() {\n  go(1);\n}\n",
  ],
  [
    "one method shown in its class, without the others",
    shop,
    `export class Basket {\n${newTotal}\n}`,
    "js",
    null,
  ],
  [
    "a class with less fields than it has",
    shop,
    "export class Basket {\n  add(item) {}\n\n  total() {}\n\n  clear() {}\n}",
    "js",
    null,
  ],
  [
    "one method between marks for existing code",
    shop,
    `export class Basket {\n  // ...existing code...\n${newTotal}\n  // ...existing code...\n}`,
    "js",
    shopWith(total, newTotal),
  ],
  [
    "two methods with marks of other kinds",
    shop,
    `/* ... */\n${newTotal}\n\n// … rest of the class\n\n  send() {\n    return 1;\n  }\n// ...`,
    "js",
    shopWith(total, newTotal).replace('return fetch("/orders", { method: "POST" });', "return 1;"),
  ],
  [
    "marks in an order that the file does not have",
    shop,
    `  send() {\n    return 1;\n  }\n  // ...\n${newTotal}`,
    "js",
    null,
  ],
  [
    "a body that is left out in the line",
    shop,
    "export class Basket {\n  add(item) { ... }\n  total() { /* ... */ }\n}",
    "js",
    null,
  ],
  [
    "a new method at a mark, with no place of its own",
    shop,
    "export class Basket {\n  // ...existing code...\n  count() {\n    return this.items.length;\n  }\n}",
    "js",
    null,
  ],
  ["a bracket alone", shop, "}", "js", null],
  [
    "a function that is not there",
    shop,
    "export function parse(value) {\n  return Number(value);\n}",
    "js",
    null,
  ],
  [
    "a function whose head is another",
    shop,
    "export function format(value, currency) {\n  return money(value, currency);\n}",
    "js",
    null,
  ],
  [
    "statements between two that stay",
    shop,
    '    this.items.push(item);\n    count += 1;\n    log("added", item);',
    "js",
    shopWith("    this.items.push(item);\n", "    this.items.push(item);\n    count += 1;\n"),
  ],
  [
    "two functions without the one between them",
    "function a() {\n  one();\n}\nfunction b() {\n  two();\n}\nfunction c() {\n  three();\n}\n",
    "function a() {\n  one(1);\n}\nfunction c() {\n  three();\n}",
    "js",
    null,
  ],
  [
    "a line that the file has elsewhere",
    shop,
    'import { log } from "./log";\n\nexport function format(value) {\n  log(value);\n  return money(value);\n}',
    "js",
    null,
  ],
  ["a function that the file has twice", twins, "function a() {\n  return 2;\n}", "js", null],
  [
    "a snippet that has a function twice",
    shop,
    "export function format(value) {\n  return 1;\n}\nexport function format(value) {\n  return 2;\n}",
    "js",
    null,
  ],
  [
    "a function whose end is that of another",
    "function a() {\n  return one;\n}\n\nfunction b() {\n  return two;\n}\n",
    "function a() {\n  return two;\n}",
    "js",
    "function a() {\n  return two;\n}\n\nfunction b() {\n  return two;\n}\n",
  ],
  [
    "a function of Python",
    script,
    "def mean(rows):\n    return sum(float(row[1]) for row in rows) / len(rows)",
    "python",
    script.replace(
      / {4}# Adds all[\s\S]*?len\(rows\)/,
      "    return sum(float(row[1]) for row in rows) / len(rows)",
    ),
  ],
  [
    "the same with its decorator",
    script,
    "@cached\ndef mean(rows):\n    return 0",
    "py",
    script.replace(/ {4}# Adds all[\s\S]*?len\(rows\)/, "    return 0"),
  ],
  ["a rule of CSS", styles, ".card:hover {\n  color: green;\n}", "css", styles.replace("blue", "green")],
  ["a rule of CSS that is there twice", styles, ".card {\n  color: green;\n}", "css", null],
  [
    "a member of JSON without its others",
    manifest,
    '  "scripts": {\n    "test": "vitest"\n  }',
    "json",
    null,
  ],
  [
    "a member of JSON with all of them",
    manifest,
    '"scripts": {\n  "build": "tsc -b",\n  "test": "vitest"\n}',
    "json",
    manifest.replace('"tsc"', '"tsc -b"').replace('"node --test"', '"vitest"'),
  ],
  [
    "one test of two",
    tests,
    'describe("basket", () => {\n  it("adds", () => {\n    check(add(2));\n  });\n});',
    "js",
    null,
  ],
  [
    "one test alone",
    tests,
    'it("adds", () => {\n  check(add(2));\n});',
    "js",
    tests.replace("add(1)", "add(2)"),
  ],
  [
    "a function indented by tabs",
    server,
    "func start(port int) {\n\tlog(port)\n\tlisten(port)\n}",
    "go",
    server.replace("\tlisten", "\tlog(port)\n\tlisten"),
  ],
  [
    "brackets in lines of their own",
    allman,
    "void second()\n{\n    two(2);\n}",
    "cpp",
    allman.replace("two()", "two(2)"),
  ],
  [
    "a whole file",
    script,
    script.replace("import csv", "import csv\nimport sys").replace("# Adds all", "# All").trimEnd(),
    "py",
    script.replace("import csv", "import csv\nimport sys").replace("# Adds all", "# All"),
  ],
  [
    "a whole file with its name above",
    script,
    `# src/mean.py\n${script.replace("# Adds all", "# All")}`,
    "py",
    script.replace("# Adds all", "# All"),
  ],
  ["another file altogether", script, shop, "js", null],
  ["an empty file", "", "const x = 1;", "js", "const x = 1;"],
  ["what is there already", shop, total, "js", shop],
  [
    "a diff",
    shop,
    '--- a/shop.js\n+++ b/shop.js\n@@ -9,3 +9,3 @@\n     this.items.push(item);\n-    log("added", item);\n+    log(item);\n   }',
    "diff",
    shopWith('log("added", item)', "log(item)"),
  ],
  [
    "a diff without numbers, nor a name of its language",
    shop,
    "@@ @@\n-    let sum = 0;\n+    let sum = 0n;",
    "",
    shopWith("sum = 0;", "sum = 0n;"),
  ],
  [
    "a diff with two hunks",
    shop,
    '@@ -1 +1 @@\n-import { money } from "./money";\n+import { money } from "./cash";\n@@ -2 +2 @@\n-import { log } from "./log";',
    "patch",
    shopWith('"./money"', '"./cash"').replace('import { log } from "./log";\n', ""),
  ],
  ["a diff of lines that are not there", shop, "-    let sum = 1;\n+    let sum = 2;", "diff", null],
  ["a diff of lines that are there twice", twins, "-  return 1;\n+  return 2;", "diff", null],
  [
    "a diff of those, with the line's number",
    twins,
    "@@ -5,1 +5,1 @@\n-  return 1;\n+  return 2;",
    "diff",
    "function a() {\n  return 1;\n}\nfunction a() {\n  return 2;\n}\n",
  ],
  [
    "a diff of two files",
    shop,
    "--- a/a\n+++ b/a\n@@ @@\n-    let sum = 0;\n+    let sum = 1;\n--- a/b\n+++ b/b\n@@ @@\n-x\n+y",
    "diff",
    null,
  ],
  ["commands with a prompt", shop, "$ npm test\nok", "", null],
  ["commands with a prompt of Windows", shop, "C:\\shop> npm test", "text", null],
  ["commands with a user's prompt", shop, "me@host:~/shop$ npm test", "", null],
  ["nothing", shop, "\n", "js", null],
];

const textOf = (file: string, proposed: Proposed) =>
  proposed.kind === "text" ? proposed.text : proposed.kind === "same" ? file : null;

describe("the code of an answer in a file", () => {
  for (const [what, file, code, language, after] of cases)
    it(`has its place, or none: ${what}`, () => {
      const proposed = proposedText(file, { text: code, language }, undefined, "mean.py");
      assert.equal(textOf(file, proposed), after);
      if (proposed.kind === "unplaced") assert.match(proposed.reason, /^[A-Z].*\.$/);
    });

  it("is offered as a whole file only where it is text of one", () => {
    const wholeOf = (text: string, language: string) => {
      const proposed = proposedText(shop, { text, language });
      return proposed.kind === "unplaced" ? proposed.whole : "placed";
    };
    assert.equal(wholeOf("const x = 1;", "js"), "const x = 1;\n");
    assert.equal(wholeOf("// ...existing code...\nconst x = 1;", "js"), undefined);
    assert.equal(wholeOf("-x\n+y", "diff"), undefined);
    const shells = "sh bash zsh fish console shell shellsession powershell pwsh ps1 cmd bat BASH".split(" ");
    for (const language of shells) {
      assert.equal(wholeOf("ls", language), undefined, language);
      assert.equal(proposedText("", { text: "ls", language }).kind, "unplaced", language);
      assert.equal(
        proposedText(shop, { text: "ls", language }, { start: 0, end: 9 }).kind,
        "unplaced",
        language,
      );
    }
  });

  it("stands in place of the selection, indented as that is", () => {
    const select = (text: string) => ({ start: shop.indexOf(text), end: shop.indexOf(text) + text.length });
    const apply = (text: string, selected: string) =>
      textOf(shop, proposedText(shop, { text, language: "js" }, select(selected)));
    assert.equal(apply("let sum = 1;", "    let sum = 0;\n"), shopWith("let sum = 0;", "let sum = 1;"));
    assert.equal(apply("let sum = 1;", "let sum = 0;"), shopWith("let sum = 0;", "let sum = 1;"));
    assert.equal(apply("item.cost", "item.price"), shopWith("item.price", "item.cost"));
    assert.equal(
      apply("let a = 1;\nlet b = 2;", "let sum = 0;"),
      shopWith("let sum = 0;", "let a = 1;\n    let b = 2;"),
    );
    // What a mark leaves out would be lost.
    assert.equal(apply("// ...existing code...\nlet a = 1;", "let sum = 0;"), null);
  });
});

const eol = fc.constantFrom("\n", "\r\n");
const tab = fc.constantFrom("\t", "  ", "    ");
const name = fc.stringMatching(/^[a-z]{3,8}$/);
const names = fc.uniqueArray(name, { minLength: 2, maxLength: 6 });
const body = fc.array(
  fc.constantFrom("log();", "return 1;", "", "if (x) {\n>go();\n}", "items.forEach((x) => {\n>x();\n});"),
  { maxLength: 4 },
);

function method(id: string, lines: readonly string[], indent: string, unit: string): string[] {
  const inner = lines.flatMap((line) => line.split("\n")).map((line) => line.replace(/^>/, unit));
  const all = [`${id}Method(a) {`, ...inner.map((line) => (line === "" ? "" : unit + line)), "}"];
  return all.map((line) => (line === "" ? "" : indent + line));
}

describe("code in any file", () => {
  it("replaces just the method that it is another wording of, with the file's line ends, mark and indentation", () => {
    const arbitrary = fc.tuple(
      names,
      fc.array(body, { minLength: 6, maxLength: 6 }),
      body,
      eol,
      tab,
      fc.boolean(),
      fc.boolean(),
      fc.nat(),
      fc.boolean(),
    );
    fc.assert(
      fc.property(arbitrary, ([ids, bodies, fresh, end, unit, hasBom, isEnded, which, isShown]) => {
        const target = which % ids.length;
        const fileWith = (code: readonly string[]) => {
          const methods = ids.map((id, index) =>
            method(id, index === target ? code : (bodies[index] ?? []), unit, unit),
          );
          const lines = [
            "class Thing {",
            ...methods.flatMap((lines) => [...lines, ""]),
            "}",
            ...(isEnded ? [""] : []),
          ];
          return (hasBom ? "\ufeff" : "") + lines.join(end);
        };
        const code = method(ids[target] ?? "", ["changed();", ...fresh], isShown ? unit : "", unit);
        const shown = isShown
          ? ["class Thing {", `${unit}// ...existing code...`, ...code, `${unit}// ...`, "}"]
          : code;
        const proposed = proposedText(fileWith(bodies[target] ?? []), {
          text: shown.join("\n"),
          language: "js",
        });
        assert.equal(textOf("", proposed), fileWith(["changed();", ...fresh]));
      }),
    );
  });

  it("never changes a byte of a line that is not in its place, and has its place by lines that are there once", () => {
    const line = fc.constantFrom(
      "class A {",
      "class B {",
      "  one() {",
      "  two() {",
      "    return 1;",
      "    return two;",
      "  }",
      "}",
      "",
      "const x = 1;",
      "const y = [",
      "];",
      "// ...",
      "def f(x):",
      "    pass",
      "# note",
      "if (x) {",
      "});",
      "\tgo();",
    );
    const lines = fc.array(line, { maxLength: 14 });
    const ends = fc.array(fc.constantFrom("\n", "\r\n"), { minLength: 15, maxLength: 15 });
    fc.assert(
      fc.property(lines, ends, lines, fc.boolean(), (inFile, lineEnds, code, isEnded) => {
        const original = inFile
          .map((text, index) => text + (index < inFile.length - 1 || isEnded ? lineEnds[index] : ""))
          .join("");
        const file = toTextLines(original);
        const edits = placeSnippet(file.lines, code);
        if (!edits) return;
        const once = (text: string) =>
          file.lines.filter((other) => other.trim() === text.trim()).length === 1;
        let before = 0;
        for (const { start, end } of edits) {
          assert.ok(before <= start && start < end && end <= file.lines.length);
          assert.ok(file.lines.slice(start, end).some((text) => /\w{2}/.test(text) && once(text)));
          before = end;
        }
        const after = withEdits(file, edits);
        const bytes = (from: number, to: number) =>
          file.lines
            .slice(from, to)
            .map((text, index) => text + file.ends[from + index])
            .join("");
        assert.ok(after.startsWith(bytes(0, edits[0]?.start ?? 0)));
        const last = edits.at(-1)?.end ?? 0;
        assert.ok(after.endsWith(bytes(last, file.lines.length)));
      }),
      { numRuns: 3000 },
    );
  });

  it("gives any text back as it was where nothing is put into it", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "\r", "\ufeff", " ")), (parts) => {
        const text = parts.join("");
        assert.equal(withEdits(toTextLines(text), []), text);
      }),
    );
  });
});
