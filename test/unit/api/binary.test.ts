// Binary replies: complete, cut off, of another type than declared, and cancelled.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { toBytes } from "../../../src/api/binary.ts";
import { createApi } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { audio } from "../../../src/api/endpoints/audio.ts";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { sendJson } from "../../loopback/answers.ts";
import { failureOf, serve, transports } from "./client.ts";

const sound = Buffer.from("ID3 sixteen bytes and a few more");
const text = { input: "Hello", model: "tts" };

function clientOf(t: TestContext, origin: string, transport: Transport) {
  t.after(() => transport.close());
  return createApi({ audio }, transport, {
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
  });
}

for (const { name, create } of transports) {
  test(`${name}: receives a file unchanged`, async (t) => {
    const server = await serve(t, (_, response) => {
      response
        .writeHead(200, { "content-type": "audio/MPEG; x=1", "content-length": sound.length })
        .end(sound);
    });
    const reply = await clientOf(t, server.origin, create()).audio.speech(text);
    assert.equal(reply.contentType, "audio/mpeg");
    assert.equal(reply.contentLength, sound.length);
    assert.deepEqual(Buffer.from(await toBytes(reply)), sound);
  });

  test(`${name}: releases an unwanted file at once`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" }).write(sound);
    });
    const reply = await clientOf(t, server.origin, create()).audio.speech(text);
    reply.cancel();
    await server.received[0]?.closed;
    assert.equal((await failureOf(toBytes(reply))).kind, "cancelled");
  });

  test(`${name}: a file that breaks off is an error, and not requested again`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": 1000 });
      response.write(sound, () => response.socket?.destroy());
    });
    const reply = await clientOf(t, server.origin, create()).audio.speech(text);
    assert.equal((await failureOf(toBytes(reply))).details.reason, "reset");
    assert.equal(server.received.length, 1);
  });

  test(`${name}: reads a file up to its limit with progress, and gives up beyond it`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg", "content-length": 1000 });
      response.write(Buffer.concat([sound, Buffer.alloc(100)]));
      if (server.received.length === 1) response.end(Buffer.alloc(900 - sound.length));
    });
    const api = clientOf(t, server.origin, create());
    const reported: (readonly [number, number | undefined])[] = [];
    const whole = await toBytes(await api.audio.speech(text), {
      maxBytes: 1000,
      onProgress: (...progress) => reported.push(progress),
    });
    assert.equal(whole.byteLength, 1000);
    assert.deepEqual(reported.at(-1), [1000, 1000]);
    const error = await failureOf(toBytes(await api.audio.speech(text), { maxBytes: 100 }));
    assert.equal(error.kind, "malformed-response");
    assert.match(error.message, /larger than 100 bytes/);
    await server.received[1]?.closed;
  });

  test(`${name}: refuses a body of another type than declared`, async (t) => {
    const server = await serve(t, (_, response) => {
      response.writeHead(200, { "content-type": "audio/mpeg" }).end("<!doctype html><title>Sign in</title>");
    });
    const reply = await clientOf(t, server.origin, create()).audio.speech(text);
    assert.equal((await failureOf(toBytes(reply))).kind, "malformed-response");
  });

  test(`${name}: an error in place of a file is that error`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, 400, { error: "no such voice" }));
    const error = await failureOf(clientOf(t, server.origin, create()).audio.speech(text));
    assert.equal(error.kind, "invalid-request");
    assert.equal(error.message, "no such voice");
  });
}
