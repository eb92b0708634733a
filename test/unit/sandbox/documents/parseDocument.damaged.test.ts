// Files with changed, missing or random bytes give text, a picture, a voice or a refusal, and never a crash.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import fc from "fast-check";
import { parseDocument } from "../../../../src/sandbox/documents/parseDocument.ts";
import { decodePicture } from "../../../../src/sandbox/images/edit.ts";
import { drawPicture } from "../../../../src/sandbox/images/generate.ts";
import { checkInputImage } from "../../../../src/sandbox/images/inputImage.ts";
import { Refusal } from "../../../../src/sandbox/refusal.ts";
import { htmlToMarkdown } from "../../../../src/sandbox/scrape/htmlToMarkdown.ts";
import { decodeWav, wavHead } from "../../../../src/sandbox/speech/wav.ts";
import { randomCases } from "../../../runner/cases.ts";

/** A file with some of its bytes changed, and perhaps its end missing. */
function damaged(file: Uint8Array): fc.Arbitrary<Uint8Array> {
  const change = fc.tuple(fc.nat(file.length - 1), fc.nat(255));
  return fc
    .tuple(fc.array(change, { minLength: 1, maxLength: 8 }), fc.option(fc.nat(file.length), { freq: 3 }))
    .map(([changes, end]) => {
      const copy = Uint8Array.from(file);
      for (const [at, value] of changes) copy[at] = value;
      return copy.subarray(0, end ?? copy.length);
    });
}

/** Asserts that a reader ends with a value or a 400 for any of these. */
async function assertHarmless(
  files: fc.Arbitrary<Uint8Array>,
  read: (bytes: Uint8Array) => unknown,
  runs: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(files, async (bytes) => {
      try {
        await read(bytes);
      } catch (error) {
        assert.ok(error instanceof Refusal && error.status === 400, String(error));
      }
    }),
    { numRuns: randomCases(runs) },
  );
}

for (const name of ["harvest.pdf", "harvest.docx", "deck.pptx", "book.xlsx"]) {
  test(`a damaged ${name}`, async () => {
    const file = await readFile(new URL(`../../fixtures/documents/${name}`, import.meta.url));
    await assertHarmless(damaged(file), parseDocument, 60);
  });
}

for (const format of ["png", "jpeg", "webp"] as const) {
  test(`a damaged ${format}`, async () => {
    const size = { width: 256, height: 256 };
    const drawing = { prompt: "sea", seed: 0, size, format, finding: "fine" } as const;
    const { bytes } = await drawPicture(drawing);
    const read = (file: Uint8Array) => {
      checkInputImage(file, ["image"]);
      return decodePicture(file, ["image"]);
    };
    await assertHarmless(damaged(bytes), read, 40);
  });
}

test("a damaged WAV file", async () => {
  const file = Buffer.concat([wavHead(400), Buffer.alloc(400, 7)]);
  await assertHarmless(damaged(file), (bytes) => decodeWav(bytes), 1000);
});

test("any bytes", async () => {
  const any = fc.uint8Array({ maxLength: 300 });
  await assertHarmless(any, parseDocument, 500);
  await assertHarmless(any, (bytes) => checkInputImage(bytes, ["image"]), 500);
});

test("any fragments of HTML become text", () => {
  const scrap = fc.constantFrom(
    "<p>",
    "</p>",
    "<table>",
    "<td>",
    "<a href=x:y>",
    "<b",
    "&amp;",
    "<!--",
    "<base href=//>",
    "word ",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(scrap, fc.string()), { maxLength: 30 }), (scraps) => {
      assert.equal(typeof htmlToMarkdown(scraps.join(""), "http://a.test/b"), "string");
    }),
    { numRuns: randomCases(200) },
  );
});
