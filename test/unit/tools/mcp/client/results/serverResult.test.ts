import assert from "node:assert/strict";
import { test } from "node:test";
import { readResult } from "../../../../../../src/tools/mcp/client/results/serverResult.ts";

test("each part is text, a picture, or named", () => {
  const { text, pictures } = readResult({
    content: [
      { type: "text", text: "Hello" },
      { type: "image", data: "AQI=", mimeType: "image/png" },
      { type: "audio", data: "AQI=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "a://b", text: "inside" } },
      { type: "resource", resource: { uri: "a://c", blob: "AQI=", mimeType: "application/zip" } },
      { type: "resource_link", uri: "a://d", name: "D\u202e" },
      { type: "odd" },
      7,
    ],
  });
  assert.deepEqual(text.split("\n"), [
    "Hello",
    "[Picture 1]",
    "[Audio (audio/wav, 2 bytes): a model of this chat can't hear it, so it was left out.]",
    "[Resource a://b]",
    "inside",
    "[Resource a://c (application/zip, 2 bytes): it is no text, so it was left out.]",
    "[Link to a resource: D⟨U+202E⟩ a://d]",
    "[A part of the type odd can't be read.]",
    "[A part of the type unknown can't be read.]",
  ]);
  assert.deepEqual(
    pictures.map((bytes) => [...bytes]),
    [[1, 2]],
  );
});

test("a structured result is given once", () => {
  const structuredContent = { a: [1, 2] };
  const text = '{ "a": [1, 2] }';
  assert.equal(readResult({ content: [{ type: "text", text }], structuredContent }).text, text);
  assert.equal(readResult({ content: [], structuredContent }).text, '{"a":[1,2]}');
  assert.equal(readResult({ content: [] }).text, "(The result is empty.)");
});

test("parts, text and pictures are bounded", () => {
  const many = readResult({ content: Array.from({ length: 5_000 }, () => ({ type: "text", text: "x" })) });
  assert.match(many.text, /\[4000 more parts were left out\.\]$/);
  const long = readResult({
    content: [
      { type: "text", text: "x" },
      { type: "text", text: "x".repeat(20_000_000) },
    ],
  });
  assert.equal(long.text, "x\n[The rest is too long and was left out.]");
  const picture = { type: "image", data: Buffer.alloc(6_000_000).toString("base64") };
  assert.match(readResult({ content: [picture] }).text, /was left out: at most 5/);
  const twenty = Array.from({ length: 20 }, () => ({ type: "image", data: "AQI=" }));
  assert.equal(readResult({ content: twenty }).pictures.length, 8);
});
