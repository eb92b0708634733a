import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as fc from "fast-check";
import { placeSnippet } from "../../../../../src/chat/host/code/placeSnippet.ts";
import { proposedText } from "../../../../../src/chat/host/code/proposedText.ts";
import { toTextLines, withEdits } from "../../../../../src/chat/host/code/textLines.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { textOf } from "../../proposedFiles.ts";

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
  it("replaces only the method of which it is a new version, with the file's line ends, byte order mark and indentation", () => {
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

  it("changes no byte of other lines, and is placed by lines that occur once", () => {
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
      { numRuns: randomCases(3000) },
    );
  });

  it("any text stays unchanged if nothing is inserted", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\n", "\r\n", "\r", "\ufeff", " ")), (parts) => {
        const text = parts.join("");
        assert.equal(withEdits(toTextLines(text), []), text);
      }),
    );
  });
});
