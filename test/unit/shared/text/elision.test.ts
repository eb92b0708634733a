// Lines that stand for code: whatever they say, and in whatever language, none replaces the code of a file.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isElided, isElision, lostByElision } from "../../../../src/shared/text/elision.ts";
import { randomCases } from "../../../runner/cases.ts";

/** Ways to say that code is left out. */
const phrases = [
  "...",
  "…",
  "... existing code ...",
  "… existing code …",
  "...existing code...",
  "existing code",
  "... rest of the code ...",
  "rest of the file",
  "rest of the file unchanged",
  "rest unchanged",
  "the rest stays the same",
  "the rest of your imports",
  "(rest of the function remains unchanged)",
  "[rest of implementation]",
  "remaining code unchanged",
  "remaining methods stay the same",
  "other methods remain the same",
  "keep the existing code here",
  "keep existing imports",
  "your existing code here",
  "previous code here",
  "same as before",
  "unchanged",
  "(unchanged)",
  "code omitted for brevity",
  "omitted",
  "other tests omitted",
  "implementation unchanged",
  "no changes",
  "no changes below",
  "snip",
  "--- snip ---",
  "lines 10 to 40 not shown",
  "validation removed for brevity",
  "... (other routes)",
] as const;

/** A comment by its language's file name. */
const comments: readonly (readonly [path: string, comment: (text: string) => string])[] = [
  ["a.ts", (text) => `// ${text}`],
  ["a.ts", (text) => `//${text}`],
  ["a.css", (text) => `/* ${text} */`],
  ["a.tsx", (text) => `{/* ${text} */}`],
  ["a.py", (text) => `# ${text}`],
  ["a.rb", (text) => `# ${text}`],
  ["a.html", (text) => `<!-- ${text} -->`],
  ["a.md", (text) => `<!-- ${text} -->`],
  ["a.sql", (text) => `-- ${text}`],
  ["a.hs", (text) => `{- ${text} -}`],
  ["a.ml", (text) => `(* ${text} *)`],
  ["a.clj", (text) => `;; ${text}`],
  ["a.tex", (text) => `% ${text}`],
  ["a.vb", (text) => `' ${text}`],
  ["a.bat", (text) => `REM ${text}`],
  ["a.twig", (text) => `{# ${text} #}`],
  ["a.jsp", (text) => `<%-- ${text} --%>`],
  ["a.rs", (text) => `/// ${text}`],
];
const before = ["open one", "  two = 2", "  three = 3", "  four = 4", "close five", ""].join("\n");
const elided = (line: string) => ["open one", "  two = 22", `  ${line}`, "close five", ""].join("\n");

test("each spelling in each language is found in the place of code, with its line", () => {
  const all = comments.flatMap(([path, comment]) =>
    phrases.map((phrase) => [path, comment(phrase)] as const),
  );
  const missed = all.filter(([path, line]) => lostByElision(before, elided(line), path)?.line !== 3);
  assert.deepEqual(missed, []);
  assert.deepEqual(
    all.filter(([, line]) => !isElision(line)),
    [],
    "the chat does not apply it either",
  );
});

test("code, braces and dots alone stand for code where they are none in that language", () => {
  for (const line of ["...", "…", "{ ... }", "two = 2; // ... existing code ...", "f() { /* ... */ }"])
    assert.equal(lostByElision(before, elided(line), "a.ts")?.line, 3, line);
  for (const path of ["a.py", "a.yaml", "a.lua", "a.md"])
    for (const line of ["...", "{...}"])
      assert.equal(lostByElision(before, elided(line), path), undefined, path);
  assert.equal(lostByElision("class A:\n    x = 1\n    y = 2\n", "class A:\n    ...\n", "a.pyi"), undefined);
  assert.equal(lostByElision("# One\n\ntext\n", "# Rest of the API\n\nmore\n", "a.md"), undefined);
});

test("comments that say something of the code are none", () => {
  const comments = [
    "// existing users keep their plan",
    "// the rest is sent with the next round",
    "# other processes may write, too",
    "// unchanged since version 2 of the protocol",
    "/* Same as `other`, without the mark. */",
    "// keeps the previous value if there is none",
    "# no changes are lost: they are stored first",
    "<!-- The remaining width goes to the text -->",
    "-- previous balance of the account",
    "// skipped: the caller has checked it",
    "// the button is hidden until the page is ready",
    "// lines of more than 300 characters are cut",
    "// blank fields are skipped",
    "call(...args);",
    "const all = [...first, ...rest];",
    "function f(...rest) {",
    "catch (...) {",
    'say("Loading...");',
    "// Wait for it...",
    "#include <vector>",
    "---",
  ];
  assert.deepEqual(
    comments.filter((line) => lostByElision(before, elided(line), "a.ts") !== undefined),
    [],
  );
});

test("a line that the file has stays allowed, and one beside which nothing is lost", () => {
  const own = elided("// ... existing code ...");
  assert.equal(lostByElision(own, own.replace("two = 22", "two = 3"), "a.ts"), undefined);
  assert.equal(lostByElision(own.replaceAll("\n", "\r\n"), own, "a.ts"), undefined);
  const twice = own.replace("  two = 22", "  // ... existing code ...");
  assert.equal(lostByElision(own, twice, "a.ts")?.line, 2, "but no second one");
  assert.equal(lostByElision(before, before.replace("close", "// ...\nclose"), "a.ts"), undefined);
  assert.equal(lostByElision("", elided("// ... existing code ..."), "a.ts"), undefined, "a new file");
});

const word = fc.stringMatching(/^[a-z]{1,6}$/);
const code = fc.oneof(
  word.map((name) => `${name}();`),
  word.map((name) => `  const ${name} = 1;`),
  fc.constantFrom("", "}", "{", "  }"),
);

test("whatever stands around it: lines replaced by such a line are found, and no other change is", () => {
  fc.assert(
    fc.property(
      fc.array(code, { maxLength: 12 }),
      fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
      fc.array(code, { maxLength: 12 }),
      fc.constantFrom(...phrases),
      fc.constantFrom("\n", "\r\n"),
      (head, lost, tail, phrase, eol) => {
        const body = lost.map((name) => `lost_${name}();`);
        const line = `// ${phrase}`;
        const old = [...head, ...body, ...tail].join(eol);
        const fresh = [...head, line, ...tail].join(eol);
        assert.equal(lostByElision(old, fresh, "a.ts")?.text, line);
        assert.equal(lostByElision(old, [...head, ...tail].join(eol), "a.ts"), undefined);
        assert.equal(lostByElision(fresh, old, "a.ts"), undefined);
        assert.equal(lostByElision(old, old, "a.ts"), undefined);
        assert.equal(isElided([...head, line, ...tail]), true);
        assert.equal(isElided([...head, ...body, ...tail]), false);
      },
    ),
    { numRuns: randomCases(300) },
  );
});
