// Fields that show something without a stored result.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldText } from "../../../../../src/sandbox/documents/office/fieldText.ts";
import { field, p, r, textOf } from "./docxParts.ts";

const shown: Readonly<Record<string, string>> = {
  " eq \\o\\ac(○,3) ": "③",
  " EQ \\o\\ac(□,12)": "(12)",
  ' EQ \\* jc2 \\* "Font:MS Mincho" \\* hps10 \\o\\ad(\\s\\up 9(ふりがな),振仮名)': "振仮名(ふりがな)",
  " EQ \\f(1,2) ": "1/2",
  "EQ \\f(a+b;c)": "(a+b)/c",
  "EQ \\r(3,x)": "x^(1/3)",
  "EQ \\r(,x+1)": "(x+1)^(1/)",
  "EQ \\r(x)": "√x",
  "EQ 10\\s\\up6(3)": "10³",
  "EQ CO\\s\\do4(2)": "CO₂",
  "EQ \\b\\lc\\[\\rc\\](x)": "[x]",
  "EQ \\b(x)": "(x)",
  "EQ \\i\\su(1,5,n)": "∑_(1)^(5) n",
  "EQ \\l(a,b,c)": "a, b, c",
  "EQ f\\(x\\)": "f(x)",
  ' SYMBOL 252 \\f "Wingdings" \\s 12 ': "✓",
  " SYMBOL 97 \\f Symbol": "α",
  " SYMBOL 8364 \\u ": "€",
  " SYMBOL 0xA9": "©",
  " MACROBUTTON NoMacro [Click and type name] ": "[Click and type name]",
  ' XE "index entry" ': "",
  " PAGE ": "",
};

describe("fields without a result", () => {
  for (const [code, text] of Object.entries(shown))
    test(code.trim(), () => assert.equal(fieldText(code), text));

  test("a formula that never ends, or is nested too deeply, ends nonetheless", () => {
    assert.equal(typeof fieldText(`EQ ${"\\f(".repeat(5000)}`), "string");
    assert.equal(typeof fieldText(`EQ ${"\\s\\up ".repeat(5000)}`), "string");
  });

  test("they stand in their sentence", async () => {
    assert.equal(await textOf(p(r("is ") + field(" EQ \\f(1,2) ") + r(" of it"))), "is 1/2 of it");
  });

  test("a field that a paragraph leaves open hides nothing of what follows", async () => {
    const open = `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r>`;
    assert.equal(
      await textOf(p(r("before ") + open + r("and after")) + p(r("next"))),
      "before and after\n\nnext",
    );
  });
});
