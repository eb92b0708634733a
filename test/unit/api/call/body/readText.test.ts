// A reply that would fill the memory or overflow the stack ends with an error.
import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { test } from "node:test";
import { createGzip } from "node:zlib";
import fc from "fast-check";
import { isTooDeep, maxAnswerBytes, readText } from "../../../../../src/api/call/body/readText.ts";
import { collect } from "../../../../../src/api/stream/chatAnswer.ts";
import { createEventCutter } from "../../../../../src/api/stream/sse.ts";
import { beginEvents, chunk, sendText } from "../../../../loopback/answers.ts";
import { clientOf, drain, failureOf, question, serve } from "../../client.ts";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("gives up on an answer that decompresses to too much", async (t) => {
  let isOpen = true;
  const service = await serve(t, (_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" });
    const zip = createGzip({ level: 1 });
    zip.pipe(response);
    response.once("close", () => {
      isOpen = false;
    });
    const piece = Buffer.alloc(1024 * 1024, " ");
    // Endless: the reader has to disconnect.
    const more = () => isOpen && zip.write(piece, more);
    more();
  });
  const { api } = clientOf(t, service.origin);
  const error = await failureOf(api.models.list({}));
  assert.equal(error.kind, "malformed-response");
  assert.match(error.message, /larger than 128 MB/);
  assert.equal(maxAnswerBytes, 128 * 1024 * 1024);
});

test("gives up on an event without end", () => {
  const cutter = createEventCutter(1000);
  const bytes = new TextEncoder().encode(`data: ${"x".repeat(90)}\n`);
  assert.throws(() => {
    for (let line = 0; line < 20; line++) cutter.feed(bytes);
  }, /longer than 1000 characters/);
  const endless = createEventCutter(1000);
  const letters = new TextEncoder().encode("x".repeat(400));
  assert.deepEqual(endless.feed(letters), []);
  assert.throws(() => [endless.feed(letters), endless.feed(letters)], /longer than 1000/);
});

test("refuses a result that nests too deep, but accepts the depth of a chain's traces", async (t) => {
  const answer = (depth: number) => `{"jsonrpc":"2.0","id":1,"result":${nested(depth)}}`;
  const service = await serve(t, ({ url }, response) =>
    sendText(response, 200, "application/json", answer(url.includes("deep") ? 200_000 : 2_100)),
  );
  const { api } = clientOf(t, service.origin);
  const body = { jsonrpc: "2.0" as const, id: 1, method: "eth_chainId", params: [] };
  const error = await failureOf(api.rpc.call({ network: "deep", body }));
  assert.equal(error.kind, "malformed-response");
  assert.match(error.message, /nests too deep/);
  assert.ok(JSON.stringify(await api.rpc.call({ network: "other", body })).length > 4_200);
});

test("an event that nests too deep ends the stream and keeps earlier events", async (t) => {
  const hostile = `{"choices":[{"index":0,"delta":{"reasoning_details":[${nested(100_000)}]}}]}`;
  const service = await serve(t, (_, response) => beginEvents(response, chunk("before"), hostile));
  const { api } = clientOf(t, service.origin);
  const { text, error } = await drain(await api.chat.stream(question));
  assert.equal(text, "before");
  assert.match(String(error), /nests too deep/);
});

test("any call index adds one call, not a list of that length", async (t) => {
  const call = (index: number) => ({ index, id: `c${index}`, function: { name: "a", arguments: "{}" } });
  const event = (...indexes: readonly number[]) => ({
    choices: [{ index: 0, delta: { tool_calls: indexes.map(call) } }],
  });
  const many = Array.from({ length: 1000 }, (_, index) => index);
  const service = await serve(t, (_, response) => {
    beginEvents(response, event(4_294_967_294, 7, -1), event(...many), "[DONE]");
    response.end();
  });
  const { api } = clientOf(t, service.origin);
  const { answer } = await collect(await api.chat.stream(question));
  const calls = answer.choices[0]?.message.tool_calls ?? [];
  assert.equal(calls.length, 128);
  assert.deepEqual([calls[0]?.id, calls.at(-1)?.id], ["c-1", "c4294967294"]);
});

test("counts depth outside of strings only", () => {
  assert.equal(isTooDeep(nested(2_500)), false);
  assert.equal(isTooDeep(nested(2_501)), true);
  assert.equal(isTooDeep(JSON.stringify(nested(10_000))), false);
  assert.equal(isTooDeep(`["\\\\",${nested(2_500)}]`), true);
  assert.equal(isTooDeep('"'.repeat(9) + "[".repeat(9_999)), false);
  fc.assert(fc.property(fc.json(), (json) => !isTooDeep(json)));
});

test("a stream is read in any division, and cut at the limit", async () => {
  const bytes = Buffer.from("grüße, 你好");
  const inPieces = () => Readable.from([...bytes].map((byte) => Buffer.from([byte])));
  let pieces = 0;
  const whole = await readText(inPieces(), 100, () => pieces++);
  assert.deepEqual([whole, pieces], [{ text: "grüße, 你好", isCut: false }, bytes.length]);
  const stream = inPieces();
  assert.deepEqual(await readText(stream, 2, () => {}), { text: "gr", isCut: true });
  assert.ok(stream.destroyed);
});

test("a stream that breaks off, before its reader comes or after, ends the wait with the reason", async () => {
  const broken = new PassThrough();
  const reading = readText(broken, 100, () => broken.destroy(new Error("the cable")));
  broken.write("one");
  await assert.rejects(reading, /the cable/);
  await assert.rejects(
    readText(broken, 100, () => {}),
    /the cable/,
  );
  const closed = new PassThrough();
  const waiting = readText(closed, 100, () => {});
  closed.destroy();
  await assert.rejects(waiting, /not complete/);
});
