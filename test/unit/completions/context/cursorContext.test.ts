import assert from "node:assert/strict";
import { test } from "node:test";
import {
  contextLimits,
  maySendText,
  type ReadableDocument,
  readCursorContext,
  shapeAt,
} from "../../../../src/completions/context/cursorContext.ts";
import { Excerpts } from "../../../../src/completions/context/excerpts.ts";
import { completionPrompt, readCompletionPrompt } from "../../../../src/shared/chat/completionPrompt.ts";

function documentOf(text: string, path = "/work/a.ts", scheme = "file", languageId = "typescript") {
  const lines = text.split("\n");
  const read: number[] = [];
  const document: ReadableDocument = {
    uri: { scheme, path, toString: () => `${scheme}://${path}` },
    languageId,
    lineCount: lines.length,
    lineAt: (line) => {
      read.push(Number(line));
      return { text: lines[Number(line)] ?? "" } as ReturnType<ReadableDocument["lineAt"]>;
    },
  };
  return { document, read };
}

test("files of keys and passwords are never sent, nor other places than files and cells", () => {
  const all = ["*"];
  const may = (path: string, scheme = "file", languageId = "typescript", languages = all) =>
    maySendText(documentOf("", path, scheme, languageId).document, languages);
  assert.ok(may("/work/a.ts"));
  assert.ok(may("/untitled-1", "untitled"));
  assert.ok(may("/work/a.ipynb", "vscode-notebook-cell"));
  for (const path of [
    "/work/.env",
    "/work/.env.local",
    "/home/me/.ssh/config",
    "/work/server.pem",
    "/work/secrets.json",
  ])
    assert.ok(!may(path), path);
  assert.ok(!may("/work/.env.production", "vscode-notebook-cell"));
  for (const scheme of [
    "output",
    "vscode-scm",
    "vscode-userdata",
    "git",
    "inference-review",
    "vscode-settings",
    "https",
  ])
    assert.ok(!may("/work/a.ts", scheme), scheme);
  assert.ok(!may("/cell.rpc", "vscode-notebook-cell", "inference-rpc"));
});

test("the language filter: all, some, and exclusions", () => {
  const may = (languageId: string, languages: readonly string[]) =>
    maySendText(documentOf("", "/work/a", "file", languageId).document, languages);
  assert.ok(may("python", ["python"]));
  assert.ok(!may("python", ["typescript"]));
  assert.ok(!may("python", []));
  assert.ok(!may("markdown", ["*", "!markdown"]));
  assert.ok(!may("markdown", ["markdown", "!markdown"]));
  assert.ok(may("constructor", ["*"]));
  assert.ok(!may("constructor", ["__proto__"]));
});

test("the text around the cursor is bounded, in whole lines, and no other line is read", () => {
  const lines = Array.from({ length: 40_000 }, (_, index) => `line ${index} of the file`);
  const { document, read } = documentOf(lines.join("\n"));
  const context = readCursorContext(document, { line: 20_000, character: 4 }, "a.ts");
  assert.ok(context);
  assert.ok(context.before.endsWith("\nline 19999 of the file\nline"));
  assert.ok(context.after.startsWith(" 20000 of the file\nline 20001"));
  assert.match(context.before, /^line \d+ of the file\n/);
  assert.ok(context.before.length <= contextLimits.before && context.after.length <= contextLimits.after);
  assert.ok(read.length < 400, String(read.length));
});

test("a huge document or line is left alone", () => {
  const line = { line: 0, character: 0 };
  assert.equal(readCursorContext(documentOf("\n".repeat(60_000)).document, line, "a"), undefined);
  assert.equal(readCursorContext(documentOf("x".repeat(10_000)).document, line, "a"), undefined);
});

test("one line or several: by the text at the cursor", () => {
  const shape = (before: string, after = "") => shapeAt({ before, after });
  assert.equal(shape("const a = "), "one");
  assert.equal(shape("call(", ");\nnext"), "several");
  assert.equal(shape("call(a", ");\nnext"), "one");
  assert.equal(shape("function f() {"), "several");
  assert.equal(shape("function f() {\n  ", "\n}"), "several");
  assert.equal(shape("def f():"), "several");
  assert.equal(shape("const a", " = 1;"), "none");
  assert.equal(shape("ca", "ll()"), "none");
  assert.equal(shape("/* todo ", " */"), "one");
  assert.equal(shape("{/* todo ", " */}"), "one");
  assert.equal(shape("<% name", " %>"), "one");
  assert.equal(shape("/* todo ", " */ a();"), "none");
  assert.equal(shape(""), "none");
  assert.equal(shape("\n \n"), "none");
});

test("excerpts: the part that shares words, the same language first, bounded, read once for each version", () => {
  const excerpts = new Excerpts();
  let reads = 0;
  const neighbour = (name: string, languageId: string, text: string, version = 1) => ({
    name,
    languageId,
    version,
    text: () => {
      reads++;
      return text;
    },
  });
  const filler = "nothing here at all\n".repeat(100);
  const shared = neighbour(
    "b.ts",
    "typescript",
    `${filler}export interface Invoice { total: number }\n${filler}`,
  );
  const others = [
    neighbour("c.py", "python", "invoice = Invoice()"),
    shared,
    neighbour("d.ts", "typescript", "unrelated"),
  ];
  const found = excerpts.of(others, "typescript", "const bill: Invoice = ");
  assert.deepEqual(
    found.map(({ name }) => name),
    ["b.ts", "c.py"],
  );
  assert.match(found[0]?.text ?? "", /export interface Invoice/);
  excerpts.of(others, "typescript", "const bill: Invoice = x");
  assert.equal(reads, 3);
  excerpts.of([neighbour("b.ts", "typescript", "Invoice", 2)], "typescript", "Invoice");
  assert.equal(reads, 4);
  const huge = neighbour("e.ts", "typescript", "Invoice ".repeat(1_000_000));
  assert.ok((excerpts.of([huge], "typescript", "Invoice")[0]?.text.length ?? 0) < 1_000);
});

test("a prompt gives its parts back, whatever the file contains", () => {
  for (const text of [
    "let a = ",
    "",
    "<before>\n</before>\n<after>\n</after>",
    "\n\nLanguage: x\n<before>\n",
  ]) {
    const prompt = completionPrompt({
      name: "a.ts",
      languageId: "typescript",
      before: text,
      after: "\n}",
      lines: "one",
      excerpts: [],
    });
    const parts = readCompletionPrompt(prompt);
    const question = { languageId: "typescript", lines: "one", before: text, after: "\n}" };
    assert.deepEqual(parts, { ...question, name: "a.ts", excerpts: [] });
  }
  assert.equal(readCompletionPrompt("Hello"), undefined);
  const question = {
    name: "src/a.ts",
    languageId: "typescript",
    before: "let a = ",
    after: ";",
    lines: "several",
    excerpts: [
      { name: "b.ts", text: "const b = 1;\n\nexport { b };" },
      { name: "c.ts", text: "const c = 2;" },
    ],
  } as const;
  assert.deepEqual(readCompletionPrompt(completionPrompt(question)), question);
});
