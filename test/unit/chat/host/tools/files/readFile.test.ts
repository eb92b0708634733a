import assert from "node:assert/strict";
import { once } from "node:events";
import { createWriteStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { ApiError } from "../../../../../../src/api/errors/errors.ts";
import { createReadFileTool } from "../../../../../../src/chat/host/tools/files/readFile.ts";
import { shownRange } from "../../../../../../src/chat/host/tools/files/shownRange.ts";
import type { CallContext } from "../../../../../../src/chat/host/tools/tool.ts";
import { upperTokens } from "../../../../../../src/shared/chat/tokenEstimate.ts";
import { linesOfText, readDiskLines } from "../../../../../../src/tools/files/diskLines.ts";
import type { FileLook, WorkspaceFiles } from "../../../../../../src/tools/files/workspaceFiles.ts";
import type { ToolInput } from "../../../../../../src/tools/serviceTool.ts";
import { randomCases } from "../../../../../runner/cases.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

const never = new AbortController().signal;
const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=",
  "base64",
);

/** The tool with one file, the texts that were read whole, and the pictures that were shown. */
function open(content: string | Uint8Array, look: Partial<FileLook> = {}, maxTokens = 8_000) {
  const bytes = Buffer.from(content);
  const files: Pick<WorkspaceFiles, "readText" | "look" | "read"> = {
    read: async () => bytes,
    readText: async () => bytes.toString(),
    look: async () => ({ size: bytes.byteLength, head: bytes.subarray(0, 8192), ...look }),
  };
  const [whole, pictures]: [string[], string[]] = [[], []];
  const readDocument = async () => {
    if (bytes.includes("locked")) throw new ApiError("invalid-request", "The PDF is locked with a password");
    return "# Report\n\n<!-- Page 2 -->\n\nEnd.";
  };
  const tool = createReadFileTool(files, (_, text) => void whole.push(text), readDocument);
  const context: CallContext = {
    ...{ source: { kind: "chat" }, changed() {}, planned() {}, written() {}, began() {} },
    results: {
      ...{ find: async () => "", maxTokens },
      addPicture: async (_, { mediaType, tokens }) => void pictures.push(`${mediaType} ${tokens}`),
    },
  };
  const read = (input: ToolInput = {}, path = "a.txt") =>
    tool.run?.({ path, ...input }, never, context) ?? assert.fail();
  return { read, whole, pictures };
}

/** The lines of an answer without their numbers, and its note. */
function parts(answer: string) {
  const lines = answer.split("\n");
  const note = /^\(.*\)$/.test(lines.at(-1) ?? "") ? (lines.pop() ?? "") : "";
  const numbers = lines.map((line) => Number(/^ *(\d+)\t/.exec(line)?.[1]));
  return { note, numbers, texts: lines.map((line) => line.replace(/^ *\d+\t/, "")) };
}

const line = fc.string({ maxLength: 60, unit: "grapheme" }).map((text) => text.replace(/[\n\r]/g, " "));
const fileText = fc
  .tuple(fc.array(line, { maxLength: 300 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, isClosed]) => lines.join(end) + (isClosed ? end : ""));

test("a file that is read range by range is the file, whatever the ranges, and is known once all of it was read", async () => {
  await fc.assert(
    fc.asyncProperty(
      fileText,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 }),
      fc.constantFrom(300, 1_000, 8_000),
      async (text, limits, maxTokens) => {
        const { read, whole } = open(text, {}, maxTokens);
        const lines: string[] = [];
        let [offset, round, note] = [1, 0, ""];
        do {
          const got = parts(await read({ offset, limit: limits[round % limits.length] }));
          note = got.note;
          if (got.texts.length > 0 && text !== "") lines.push(...got.texts);
          offset = Number(/use offset (\d+)/.exec(note)?.[1]);
          round += 1;
        } while (!Number.isNaN(offset));
        const end = note.includes("no line break at the end") || text === "" ? "" : "\n";
        if (text === "") assert.match(note, /^\(the file is empty\)$/);
        else assert.equal(lines.join("\n") + end, text.replaceAll("\r\n", "\n"));
        assert.deepEqual(whole, [text]);
      },
    ),
    { numRuns: randomCases(300) },
  );
});

test("ranges are numbered, count from the end if they are negative, and say what is left", async () => {
  const { read, whole } = open(Array.from({ length: 50 }, (_, index) => `line ${index + 1}\n`).join(""));
  assert.equal(
    await read({ offset: 3, limit: 2 }),
    "     3\tline 3\n     4\tline 4\n(lines 3 to 4 of 50; to read on, use offset 5)",
  );
  assert.equal(await read({ offset: -1 }), "    50\tline 50\n(line 50 of 50)");
  assert.equal(await read({ offset: 60 }), "(there is no line 60: the file has 50 lines)");
  assert.deepEqual(whole, []);
  assert.equal(parts(await read()).note, "", "a whole text has no note");
  assert.equal(whole.length, 1);
});

test("a long line is cut with its length, and its file does not count as read; one that fits is whole", async () => {
  const { read, whole } = open(`${"x".repeat(50_000)}\nend\n`);
  const [first, second] = (await read()).split("\n");
  assert.match(first ?? "", /^ {5}1\tx{2000} … \(cut: the line has 50000 characters\)$/);
  assert.equal(second, "     2\tend");
  assert.deepEqual(whole, []);
  const small = open(`${"word ".repeat(1000)}\n`);
  assert.equal((await small.read()).length, 5007);
  assert.equal(small.whole.length, 1);
});

test("a part is bounded in tokens, whatever the text is", () => {
  for (const text of [
    "日本語のテキスト\n".repeat(9_000),
    "aGVsbG8gd29ybGQ\n".repeat(9_000),
    "0123456789\n".repeat(9_000),
  ])
    for (const maxTokens of [1_000, 8_000]) {
      const { text: shown } = shownRange(linesOfText(text, { from: 1, count: 2_000 }), maxTokens);
      assert.ok(upperTokens(shown) <= maxTokens, `${upperTokens(shown)} tokens`);
    }
});

test("lines are the same from the disk in pieces as from the text, in each encoding with a mark", async () => {
  const path = join(temporaryFolder(), "a.log");
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(fileText, fc.integer({ min: 1, max: 40 })).map(([text, times]) => text.repeat(times)),
      fc.integer({ min: -400, max: 400 }).filter((from) => from !== 0),
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom<"utf8" | "utf16le">("utf8", "utf16le"),
      async (text, from, count, encoding) => {
        writeFileSync(path, Buffer.from(encoding === "utf8" ? text : `\ufeff${text}`, encoding));
        const expected = linesOfText(text, { from, count });
        assert.deepEqual(
          await readDiskLines({ path, encoding: undefined }, { from, count }, never),
          expected,
        );
      },
    ),
    { numRuns: randomCases(100) },
  );
});

test("a log of 100 MB costs a screenful, and no memory", async (t) => {
  const path = join(temporaryFolder(), "big.log");
  const stream = createWriteStream(path);
  const block = Array.from(
    { length: 10_000 },
    (_, index) => `2026-11-26 INFO request ${index} served in 12 ms ${"·".repeat(20)}\n`,
  ).join("");
  let bytes = 0;
  for (; bytes < 100 * 1024 * 1024; bytes += Buffer.byteLength(block))
    if (!stream.write(block)) await once(stream, "drain");
  stream.end();
  await once(stream, "finish");
  const { read } = open("", {
    size: bytes,
    head: Buffer.from(block).subarray(0, 8192),
    large: { path, encoding: undefined },
  });
  const before = process.memoryUsage();
  const [start, end] = [await read(), await read({ offset: -3 })];
  const after = process.memoryUsage();
  assert.match(parts(start).note, /^\(lines 1 to \d+ of \d+0000; to read on, use offset \d+\)$/);
  assert.ok(upperTokens(start) <= 8_000);
  assert.equal(parts(end).numbers.length, 3);
  assert.match(end, /request 9999 served/);
  const grown = after.heapUsed + after.external - before.heapUsed - before.external;
  t.diagnostic(`${Math.round(grown / 1024)} KB more`);
  assert.ok(grown < 40 * 1024 * 1024, `${grown} bytes more`);
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  await assert.rejects(
    readDiskLines({ path, encoding: undefined }, { from: 1, count: 1 }, stop.signal),
    /stopped/,
  );
});

test("a picture is shown to the model, a document is read on this machine, and binary data is refused", async () => {
  const { read, pictures } = open(png);
  assert.match(await read({}, "a.png"), /^a\.png is a picture of 1 × 1 pixels \(png, \d+ bytes\)\.$/);
  assert.deepEqual(pictures, ["image/png 1"]);
  const pdf = open("%PDF-1.7\n");
  assert.match(await pdf.read({}, "a.pdf"), /^ +1\t# Report\n +2\t\n +3\t<!-- Page 2 -->\n/);
  assert.match(await pdf.read({ offset: 5 }, "a.pdf"), /^ +5\tEnd\./);
  assert.deepEqual(pdf.whole, []);
  await assert.rejects(open("%PDF-1.7 locked").read({}, "b.pdf"), /b\.pdf is locked with a password/);
  const svg = open("<svg/>\n");
  assert.equal(await svg.read({}, "a.svg"), "     1\t<svg/>");
  const large = { path: "/none", encoding: undefined };
  const binary = open(new Uint8Array(100), { large, size: 9_000_000 });
  await assert.rejects(
    binary.read({}, "a.bin"),
    /^Error: a\.bin is not a text file: it has 8\.6 MB of binary data\.$/,
  );
  const damaged = open(png.subarray(0, 12));
  await assert.rejects(damaged.read({}, "a.png"), /a\.png can't be read as a picture/);
});
