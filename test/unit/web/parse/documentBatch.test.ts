import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { uploadFromFile } from "../../../../src/api/call/body/upload.ts";
import { createTemporaryFiles } from "../../../../src/platform/files/durable/temporaryFiles.ts";
import type { Client } from "../../../../src/session/session.ts";
import { checkDocument } from "../../../../src/web/parse/documentKind.ts";
import { type ParsedText, withParsed } from "../../../../src/web/parse/tempFiles.ts";
import { writeParsed } from "../../../../src/web/parse/writeParsed.ts";
import { withFrontMatter } from "../../../../src/web/writing.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { clientOf } from "../../api/client.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";

const folder = join(import.meta.dirname, "../../fixtures/documents");
const problemOf = (name: string, head: Uint8Array, size = head.length) => {
  const judged = checkDocument(name, size, head);
  return "problem" in judged ? judged.problem : undefined;
};
const text = (content: string) => new TextEncoder().encode(content);

test("detects real files by their content, not by their name", () => {
  const kinds = { "harvest.pdf": "pdf", "harvest.docx": "docx", "deck.pptx": "pptx", "book.xlsx": "xlsx" };
  for (const [name, kind] of Object.entries(kinds)) {
    const bytes = readFileSync(join(folder, name));
    assert.deepEqual(checkDocument("file.bin", bytes.length, bytes), { kind }, name);
  }
});

test("refuses unsupported files by rule and name", () => {
  assert.equal(problemOf("a.pdf", text("")), "a.pdf is empty.");
  assert.equal(
    problemOf("big.pdf", text("%PDF-1.7"), 25 * 1024 * 1024 + 60_000),
    "big.pdf has 25.1 MB. The limit is 25 MB.",
  );
  assert.match(
    problemOf("a.pdf", Buffer.from("89504e470d0a1a0a0000000d", "hex")) ?? "",
    /is a PNG image\. The parser accepts/,
  );
  assert.match(
    problemOf("old.doc", Buffer.from("d0cf11e0a1b11ae10000", "hex")) ?? "",
    /old or password-protected Office/,
  );
  assert.match(problemOf("a.rtf", text("{\\rtf1 x}")) ?? "", /RTF/);
  assert.match(
    problemOf("a.zip", Buffer.concat([Buffer.from("504b0304", "hex"), Buffer.alloc(40)])) ?? "",
    /is an archive/,
  );
  assert.match(problemOf("a.dat", new Uint8Array([1, 2, 0, 3])) ?? "", /contains no text/);
});

test("refuses text with the name of another document, which nobody should pay for", () => {
  for (const name of ["fake.docx", "fake.PDF", "fake.xlsx", "fake.pptx"])
    assert.match(
      problemOf(name, text("nope")) ?? "",
      /^fake\.\w+ is no [A-Z]{3,4} file: it contains other text/,
    );
  assert.equal(problemOf("about.txt", text("A note on %PDF-1.7 files.")), undefined);
});

test("detects text by any beginning", () => {
  for (const start of ["MZ is a city", "Rar! he said", "ID3 tags", "fLaC"])
    assert.equal(problemOf("notes.txt", text(start)), undefined, start);
  assert.equal(problemOf("utf16.txt", Buffer.from("fffe48006900", "hex")), undefined);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-composite", minLength: 1 }), (content) => {
      fc.pre(!content.startsWith("{\\rtf"));
      assert.equal(problemOf("a.txt", text(content)), undefined);
    }),
  );
});

test("the sandbox reads supported files, with tokens or as bare text", async (t) => {
  const sandbox = await startTestSandbox();
  t.after(() => sandbox.close());
  const { api } = clientOf(t, sandbox.baseUrl, { apiKey: async () => sandbox.apiKey });
  const client = { api } as Pick<Client, "api">;
  const { signal } = new AbortController();
  const arriving = join(temporaryFolder(), "arriving");
  const into = (format: "json" | "text") => ({ folder: arriving, client, format, signal });
  const read = async ({ path, tokens }: ParsedText) => ({ text: await readFile(path, "utf8"), tokens });
  for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx"]) {
    const upload = await uploadFromFile(join(folder, name), "");
    const parsed = await withParsed(into("json"), upload, read);
    assert.ok(parsed.text.length > 0 && (parsed.tokens ?? 0) > 0, name);
    const bare = { text: parsed.text, tokens: undefined };
    assert.deepEqual(await withParsed(into("text"), upload, read), bare, name);
  }
  assert.deepEqual(await readdir(arriving), []);
});

test("a file next to the document has the same text as in memory, and bare text is unchanged", async () => {
  const home = temporaryFolder();
  const path = join(home, "arrived");
  let created = 0;
  const blanks = fc.string({ unit: fc.constantFrom(" ", "\n", "\r\n", "\r", "\t", "\f"), maxLength: 6 });
  const places = createTemporaryFiles(undefined);
  const words = fc.string({ unit: fc.constantFrom("a", "é", "\r", "\n", "\r\n", " "), maxLength: 30 });
  const padding = fc.constantFrom("", "x".repeat(16_383), "x".repeat(16_384), " ".repeat(40_000));
  await fc.assert(
    fc.asyncProperty(fc.tuple(blanks, padding, words, padding, blanks), async (parts) => {
      const text = parts.join("");
      await writeFile(path, text);
      const target = join(home, `${++created}.md`);
      await writeParsed({ path, tokens: 7 }, target, 'a "b".pdf', places);
      const written = await readFile(target, "utf8");
      const date = /^date: "(.*)"$/m.exec(written)?.[1];
      assert.equal(written, withFrontMatter({ source: 'a "b".pdf', date, tokens: 7 }, text));
      await writeParsed({ path }, `${target}.txt`, "a.pdf", places);
      assert.equal(await readFile(`${target}.txt`, "utf8"), text);
    }),
  );
});
