// Texts that a model writes otherwise than the file: line ends, look-alike characters, white space.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { replaceText } from "../../../../../src/changes/engine/files/replaceText.ts";

const one = (text: string, oldText: string, newText: string, all = false) =>
  replaceText("a.ts", text, [{ oldText, newText, all }]);

test("a file with both line ends is edited, and each line keeps its own", () => {
  assert.equal(one("one\r\ntwo\r\nthree\nfour\r\n", "one\ntwo", "1\n2"), "1\r\n2\r\nthree\nfour\r\n");
  assert.equal(one("a\r\nb\nc\r\n", "b\nc", "b\nnew\nC"), "a\r\nb\nnew\nC\r\n");
  assert.equal(
    one("a\r\nb\r\nc\n", "a", "a\nnew"),
    "a\r\nnew\r\nb\r\nc\n",
    "a new line has the end of its place",
  );
  assert.equal(one("a\r\nb\n", "b\n", "b\r\n"), "a\r\nb\r\n", "a line end that the model writes itself");
});

test("characters that look alike are found where the place is unique, and stay where they were not changed", () => {
  const cases = [
    [
      "the list in\u00a0current use",
      "the list in current use",
      "the list in current work",
      "the list in\u00a0current work",
    ],
    ["say “old” or ‘it’s’", `say "old" or 'it's'`, `say "new" or 'it's'`, "say “new” or ‘it’s’"],
    ["range 1–2 — all", "range 1-2 - all", "range 1-3 - all", "range 1–3 — all"],
    ["ａ＝１；", "a=1;", "a=2;", "ａ＝2；"],
    ["zero\u200bwidth", "zerowidth", "zerowidths", "zero\u200bwidths"],
    ["cafe\u0301 noir", "café noir", "café blanc", "cafe\u0301 blanc"],
    ["café noir", "cafe\u0301 noir", "cafe\u0301 blanc", "café blanc"],
    ["wait… done", "wait... done", "wait... over", "wait… over"],
    ["\u1112\u1161\u11ab글", "한글", "한글!", "\u1112\u1161\u11ab글!"],
    ["a  \nb\t\nc", "a\nb\nc", "a\nB\nc", "a  \nB\nc"],
    ["a\nb", "a  \nb", "a  \nc", "a\nc"],
  ] as const;
  for (const [text, oldText, newText, wanted] of cases) {
    assert.equal(one(text, oldText, newText), wanted);
    const around = `“head”\u00a0–\n${text}\n\u00a0‘tail’`;
    assert.equal(one(around, oldText, newText), `“head”\u00a0–\n${wanted}\n\u00a0‘tail’`);
  }
});

test("tabs and blanks of an indentation stand for each other, and new lines are indented as the file is", () => {
  assert.equal(
    one(
      "if (a) {\n\tb();\n\t\tc();\n}\n",
      "if (a) {\n    b();\n        c();",
      "if (a) {\n    b();\n    if (d)\n        c(1);",
    ),
    "if (a) {\n\tb();\n\tif (d)\n\t\tc(1);\n}\n",
  );
  assert.equal(one("x\n  b();\n    c();\n", "\tb();\n\t\tc();", "\tb();\n\t\td();"), "x\n  b();\n    d();\n");
  assert.equal(one("\ta\n\tb\n", "  a\n  b", "  a\n    new\n  b"), "\ta\n\t\tnew\n\tb\n");
  assert.throws(() => one("\ta\n\t\tb\n", "    a\n    b", "x"), /not found/, "another structure");
});

test("nothing is replaced where two places look alike, and the lines and the difference are named", () => {
  const text = "a\u00a0b\nx\na\u2009b\n";
  assert.throws(
    () => one(text, "a b", "c"),
    /not unique either .* see the lines 1 and 3 \(line 1, character 2: a no-break space \(U\+00A0\) where old_text has a blank\)/,
  );
  assert.throws(() => one(text, "a b", "c", true), /not unique either/);
  assert.equal(one(`${text}a b\n`, "a b", "c"), `${text}c\n`, "the exact place comes first");
});

test("a text that is not there is refused with line, character and what differs", () => {
  const says = (text: string, oldText: string, pattern: RegExp) =>
    assert.throws(() => one(text, oldText, "x"), pattern);
  says("one\ntwo\nthree\n", "two\nthrew", /differs at line 3, character 5: “e” where old_text has “w”/);
  says(
    "let p\u0430ge = 1;\n",
    "let page = 1;",
    /line 1, character 6: “а” \(U\+0430\) where old_text has “a”/,
  );
  says("one\ntwo", "one\ntwo\nthree", /line 2, character 4: its end where old_text has a line end/);
  says("a = 1\n  b = 2\n", "a = 1\n\tc = 2", /line 2, character 1: a blank where old_text has a tab/);
  says("nothing", "quite another text", /Read the file again: it may have changed\./);
});

/** For each sign that a model writes: what a file may have in its place. */
const alike: Readonly<Record<string, readonly string[]>> = {
  " ": ["\u00a0", "\u2009", "\u3000", "\u202f"],
  "'": ["‘", "’", "＇"],
  '"': ["“", "”", "＂"],
  "-": ["–", "—", "−", "－"],
  é: ["e\u0301"],
  a: ["ａ", "a\u200b"],
  "\n": ["\r\n", "  \n", "\u00a0\n"],
};
const sign = fc.constantFrom(" ", "'", '"', "-", "é", "a", "b", "x", "\n", "(", "😀");

test("whatever look-alikes a file has, only the one place changes, and unchanged parts of it keep their bytes", () => {
  const text = fc.array(sign, { maxLength: 30 }).map((all) => all.join(""));
  const picks = fc.array(fc.nat(4), { minLength: 90, maxLength: 90 });
  fc.assert(
    fc.property(text, text, text, text, picks, (head, body, tail, fresh, picked) => {
      let next = 0;
      const disguised = (plain: string) =>
        Array.from(plain, (one) => {
          const others = [one, ...(alike[one] ?? [])];
          return others[(picked[next++ % picked.length] ?? 0) % others.length];
        }).join("");
      const [start, middle, end] = [disguised(`${head}(`), disguised(body), disguised(`)${tail}`)];
      const file = `${start}KEY${middle}END${end}`;
      const oldText = `KEY${body}END`;
      assert.equal(one(file, oldText, "%"), `${start}%${end}`);
      const changed = one(file, oldText, `KEY${body}END${fresh.replaceAll("\n", "")}!`);
      assert.equal(changed, `${start}KEY${middle}END${fresh.replaceAll("\n", "")}!${end}`);
    }),
  );
});

test("two places that look alike are never taken for one", () => {
  const text = fc.array(sign, { minLength: 1, maxLength: 8 }).map((all) => all.join(""));
  fc.assert(
    fc.property(text, fc.boolean(), (body, isFirst) => {
      const plain = `K${body}E`;
      const other = plain.replaceAll(" ", "\u00a0").replaceAll("a", "ａ").replaceAll("-", "–");
      fc.pre(other !== plain);
      const disguised = other.replaceAll("\u00a0", "\u2009").replaceAll("–", "—");
      const [one1, two] = isFirst ? [other, disguised] : [disguised, other];
      assert.throws(() => one(`${one1}\n${two}`, plain, "new"), /not unique/);
    }),
  );
});

test("hostile files and texts take time linear in their length", () => {
  const steps = (count: number) => {
    const sizes = [`${"\t".repeat(9)}x\n`, "a\u00a0", "e\u0301", "\u200b", " ", "…", "“", "\u0301"];
    for (const part of sizes) {
      const file = part.repeat(Math.ceil(count / part.length));
      for (const sought of [
        `b${" x\n".repeat(count / 8)}`,
        "a ".repeat(count / 8),
        ` ${"x\n ".repeat(count / 8)}y`,
        '"'.repeat(count / 4),
        `a${" ".repeat(count)}b`,
      ])
        try {
          one(file, sought, "new");
        } catch (error) {
          assert.match(String(error), /was not changed/);
        }
    }
  };
  // Quadratic work would need hours.
  steps(200_000);
});
