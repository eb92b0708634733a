import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { fileTypeOf } from "../../../../../../src/chat/host/attachments/content/fileType.ts";
import { folderText } from "../../../../../../src/chat/host/attachments/content/folderText.ts";
import {
  cutText,
  problemsText,
  toPromptBlock,
} from "../../../../../../src/chat/host/attachments/content/textContent.ts";
import { bestPaths, foldersOf } from "../../../../../../src/chat/host/attachments/sources/fuzzy.ts";
import { fitPixels, formatBytes } from "../../../../../../src/shared/chat/chatAttachments.ts";
import { estimateTokens } from "../../../../../../src/shared/chat/tokenEstimate.ts";
import { looksSecret } from "../../../../../../src/shared/secretFiles.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const documents = join(import.meta.dirname, "../../../../fixtures/documents");

test("the kind of a file follows from its first bytes, not its name", () => {
  assert.equal(fileTypeOf("notes.txt", bytes("\x89PNG\r\n\x1a\n....")).mediaType, "image/png");
  assert.equal(fileTypeOf("x", bytes("\xff\xd8\xff\xe0")).extension, "jpg");
  assert.equal(fileTypeOf("x", bytes("RIFF\x10\0\0\0WEBPVP8 ")).mediaType, "image/webp");
  assert.equal(fileTypeOf("x", bytes("GIF89a")).mediaType, "image/gif");
  assert.equal(fileTypeOf("x.png", bytes("no picture at all")).kind, "text");
  assert.equal(fileTypeOf("x.docx", bytes("no document either")).kind, "text");
  assert.equal(fileTypeOf("x.zip", bytes("PK\x03\x04\0\0")).kind, "binary");
  assert.equal(fileTypeOf("x.ts", bytes("")).kind, "text");
});

test("documents are recognised by their content", () => {
  for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx"]) {
    const type = fileTypeOf(name, readFileSync(join(documents, name)));
    assert.deepEqual([type.kind, type.extension], ["document", name.split(".")[1]]);
  }
});

test("a long text is cut at the end of a line, within its limit, with a note", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 8, max: 200 }), (text, bound) => {
      const cut = cutText(text, bound);
      assert.ok(Buffer.byteLength(cut.text) <= Math.max(bound, 0));
      assert.ok(text.startsWith(cut.text));
      assert.equal(cut.detail === undefined, cut.text === text);
    }),
  );
  assert.equal(cutText("one\ntwo\nthree", 9).text, "one\ntwo\n");
});

test("a text follows its source, and can't end its own fence", () => {
  assert.equal(
    toPromptBlock({ name: "a.md", detail: "lines 2 to 4", languageId: "markdown" }, "```\r\nx\r\n```"),
    "a.md (lines 2 to 4):\n````markdown\n```\nx\n```\n````\n",
  );
});

test("completion prefers names to paths, and matches letters in order", () => {
  const paths = ["src/chat/turns.ts", "test/chat/turns.test.ts", "src/turnstile/main.ts", "docs/return.md"];
  assert.deepEqual(bestPaths(paths, "turns", 3), [
    "src/chat/turns.ts",
    "test/chat/turns.test.ts",
    "src/turnstile/main.ts",
  ]);
  assert.deepEqual(bestPaths(paths, "sctts", 9), [
    "src/chat/turns.ts",
    "src/turnstile/main.ts",
    "test/chat/turns.test.ts",
  ]);
  assert.deepEqual(bestPaths(paths, "zzz", 9), []);
  assert.deepEqual(foldersOf(paths).sort(), [
    "docs",
    "src",
    "src/chat",
    "src/turnstile",
    "test",
    "test/chat",
  ]);
});

test("any path is found by its full text and by its letters", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.array(fc.boolean()), (path, keep) => {
      const letters = [...path].filter((_, index) => keep[index]).join("");
      assert.deepEqual(bestPaths([path], path, 1), [path]);
      assert.deepEqual(bestPaths([path], letters, 1), [path]);
    }),
  );
});

test("a folder is its listing and its texts, without files that look secret", async () => {
  const file = (path: string, text: string) => ({ path, read: async () => Buffer.from(text) });
  const { text, detail } = await folderText(
    [
      file("b.ts", "let b;\n"),
      file(".env", "KEY=canary"),
      file("a.bin", "\0\0"),
      { path: "gone.ts", read: () => Promise.reject(new Error("gone")) },
    ],
    new AbortController().signal,
  );
  assert.equal(text, "a.bin\nb.ts\ngone.ts\n\nb.ts:\n```\nlet b;\n```\n");
  assert.equal(detail, "3 files, 1 with content, 1 secret-looking file left out");
});

test("a folder is bounded, whatever its size", async () => {
  const files = Array.from({ length: 3000 }, (_, index) => ({
    path: `f${index}.ts`,
    read: async () => Buffer.from("x\n".repeat(50_000)),
  }));
  const { text } = await folderText(files, new AbortController().signal);
  assert.ok(text.length < 260 * 1024, String(text.length));
  assert.match(text, /… and 2500 more/);
});

test("problems are lines, errors first, bounded in number", () => {
  const problem = { line: 3, column: 5, message: "no\n such name", source: "ts 2304" };
  const found = problemsText([
    { path: "a.ts", problems: [{ ...problem, severity: "warning" }] },
    { path: "b.ts", problems: [{ ...problem, severity: "error" }] },
  ]);
  assert.equal(
    found?.text,
    "b.ts:3:5 error: no such name [ts 2304]\na.ts:3:5 warning: no such name [ts 2304]",
  );
  assert.equal(problemsText([]), undefined);
  const many = Array.from({ length: 500 }, () => ({ ...problem, severity: "hint" as const }));
  assert.equal(problemsText([{ path: "c.ts", problems: many }])?.detail, "the first 200 of 500 problems");
});

test("an image is scaled only above the limit, and keeps its aspect ratio", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }), (width, height) => {
      const [w, h] = fitPixels(width, height);
      assert.ok(w >= 1 && h >= 1 && w * h <= 33_177_600);
      if (width * height <= 33_177_600) assert.deepEqual([w, h], [width, height]);
      else assert.ok(Math.abs(w / h / (width / height) - 1) < 0.01 || Math.min(w, h) < 100);
    }),
  );
});

test("sizes and tokens are rounded", () => {
  assert.deepEqual([0, 999, 1024, 3_250_585, 25 * 1024 * 1024].map(formatBytes), [
    "0 bytes",
    "999 bytes",
    "1 KB",
    "3.1 MB",
    "25 MB",
  ]);
  assert.equal(estimateTokens("four"), 1);
  assert.equal(estimateTokens("四つ"), 2);
  assert.equal(estimateTokens(""), 0);
});

test("recognises file names of keys and passwords, but not of their examples", () => {
  const secret = [
    ...[".env", "a/.env.local", ".envrc", ".env~", "prod.env", "id_rsa", "C:\\k\\server.pem"],
    ...["home/.ssh/config", ".git/config", "a/.git/config", ".config/gh/hosts.yml", ".my.cnf", ".yarnrc.yml"],
    "terraform.tfstate.backup",
  ];
  for (const name of secret) assert.ok(looksSecret(name), name);
  for (const name of [
    ".env.example",
    "example.env",
    "id_rsa.pub",
    "environment.ts",
    "keyboard.ts",
    ".gitconfig",
  ])
    assert.ok(!looksSecret(name), name);
});
