import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { type ChatOffer, Handoff, linesOf } from "../../../../src/session/connection/handoff.ts";
import { fenced } from "../../../../src/shared/text/fence.ts";

const selection = {
  kind: "selection",
  uri: "file:///w/src/hello.ts",
  name: "src/hello.ts",
  languageId: "typescript",
  range: { startLine: 1, startCharacter: 0, endLine: 3, endCharacter: 1 },
  text: "function a() {\r\n  return 1;\r\n}",
} as const;
const offer: ChatOffer = { text: "Explain this code.", send: true, attachments: [selection] };

test("an offer is delivered to the chat at once, and once only", () => {
  const handoff = new Handoff();
  handoff.offer(offer);
  const received: ChatOffer[] = [];
  const listening = handoff.onDidOffer(() => received.push(...handoff.take()));
  assert.deepEqual(received, [offer]);
  handoff.offer({ ...offer, text: "And this?" });
  assert.deepEqual(
    received.map(({ text }) => text),
    ["Explain this code.", "And this?"],
  );
  assert.deepEqual(handoff.take(), []);
  listening.dispose();
  handoff.offer(offer);
  assert.equal(received.length, 2);
  assert.deepEqual(handoff.take(), [offer]);
});

test("a selection names its lines, without a last line of which no character is selected", () => {
  assert.equal(linesOf(selection.range), "lines 2 to 4");
  assert.equal(linesOf({ startLine: 1, startCharacter: 0, endLine: 2, endCharacter: 0 }), "line 2");
});

test("the fence around any text is closed only by its last line", () => {
  const text = fc.string({ unit: fc.constantFrom("`", "a", "\n", "~", " ") });
  fc.assert(
    fc.property(text, (inside) => {
      const lines = fenced(inside).split("\n");
      const fence = lines[0] ?? "";
      assert.match(fence, /^`{3,}$/);
      const closing = lines.slice(1).findIndex((line) => line.trim().startsWith(fence));
      assert.equal(closing, lines.length - 2);
    }),
  );
});
