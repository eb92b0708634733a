// Server-sent events with arbitrarily split bytes (HTML standard, 9.2.6).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createEventCutter } from "../../../../src/api/stream/sse.ts";
import { beginEvents, chunk, frame } from "../../../loopback/answers.ts";
import { clientOf, drain, question, serve, transports } from "../client.ts";

function cut(bytes: Uint8Array, positions: readonly number[]): string[] {
  const cutter = createEventCutter();
  const edges = [0, ...[...positions].sort((a, b) => a - b), bytes.length];
  const events = edges.slice(1).flatMap((end, index) => cutter.feed(bytes.subarray(edges[index], end)));
  return [...events, ...cutter.end()];
}

const sample = 'data: {"t":"é€😀\\n"}\n\n: note\ndata: two\ndata: lines\n\nid: 1\ndata:x\n\ndata: [DONE]\n\n';
const expected = ['{"t":"é€😀\\n"}', "two\nlines", "x", "[DONE]"];

for (const [name, lineEnd] of Object.entries({ LF: "\n", CRLF: "\r\n", CR: "\r" })) {
  const bytes = new TextEncoder().encode(sample.replaceAll("\n", lineEnd));

  test(`${name}: split once at every byte, and between all bytes`, () => {
    for (let at = 0; at <= bytes.length; at++) assert.deepEqual(cut(bytes, [at]), expected, `at ${at}`);
    assert.deepEqual(cut(bytes, [...bytes.keys()]), expected);
  });

  test(`${name}: any events, split anywhere`, () => {
    const line = fc.string({ unit: "binary", maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, "·"));
    const event = fc.record({
      lines: fc.array(line, { minLength: 1, maxLength: 3 }),
      before: fc.array(fc.constantFrom(": note", "event: e", "id: 4", "retry: 9", "unknown", "x: y"), {
        maxLength: 2,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 12 }),
        (events, seeds) => {
          const lines = events.flatMap(({ before, lines }) => [
            ...before,
            ...lines.map((text) => `data: ${text}`),
            "",
          ]);
          const all = new TextEncoder().encode(lines.map((text) => text + lineEnd).join(""));
          const positions = seeds.map((seed) => (all.length === 0 ? 0 : seed % all.length));
          assert.deepEqual(
            cut(all, positions),
            events.map((one) => one.lines.join("\n")),
          );
        },
      ),
    );
  });
}

test("ignores a byte order mark before the first event", () => {
  const bytes = new TextEncoder().encode(`\ufeff${sample}`);
  for (let at = 0; at <= 8; at++) assert.deepEqual(cut(bytes, [at]), expected);
});

for (const { name, create } of transports) {
  test(`${name}: reads an answer sent byte by byte`, async (t) => {
    const text = "Zoë 😀 日本語";
    const server = await serve(t, async (_, response) => {
      beginEvents(response);
      response.socket?.setNoDelay(true);
      for (const byte of Buffer.from(frame(chunk(text)) + frame("[DONE]"))) {
        await new Promise((resolve) => response.write(Uint8Array.of(byte), resolve));
      }
      response.end();
    });
    const { api } = clientOf(t, server.origin, { transport: create() });
    const result = await drain(await api.chat.stream(question));
    assert.deepEqual([result.text, result.end, result.error], [text, "done", undefined]);
  });
}
