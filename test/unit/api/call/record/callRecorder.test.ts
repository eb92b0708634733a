// The event that ends each recorded call: attempts, times, bodies, and no secrets.
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { toBytes } from "../../../../../src/api/binary.ts";
import { uploadFromBytes } from "../../../../../src/api/call/body/upload.ts";
import type { CallOptions, ClientEvent } from "../../../../../src/api/call/client.ts";
import type { Called } from "../../../../../src/api/call/record/callRecorder.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import { beginEvents, chunk, completion, frame, sendJson } from "../../../../loopback/answers.ts";
import type { Answer } from "../../../../loopback/server.ts";
import { png } from "../../../images/host/studioOf.ts";
import { canary, clientOf, drain, question, serve, transports } from "../../client.ts";

/** A client that records, and a promise of the record of its next call. */
async function recording(t: TestContext, answer: Answer, options: Parameters<typeof clientOf>[2] = {}) {
  const server = await serve(t, answer);
  let taken = Promise.withResolvers<Called>();
  const { api } = clientOf(t, server.origin, {
    isRecorded: () => true,
    observe: (event) => event.type === "called" && taken.resolve(event),
    ...options,
  });
  const called = () => {
    const { promise } = taken;
    return promise.finally(() => {
      taken = Promise.withResolvers();
    });
  };
  return { api, called };
}

for (const { name, create } of transports) {
  describe(`a record, ${name}`, () => {
    test("has each attempt with its status and reason, the wait between them, and the last answer", async (t) => {
      let requests = 0;
      const { api, called } = await recording(
        t,
        (_, response) => {
          requests += 1;
          if (requests < 3) sendJson(response, 503, { error: "busy" }, { "x-request-id": `r${requests}` });
          else sendJson(response, 200, completion("fine"), { "x-request-id": "r3" });
        },
        { transport: create() },
      );
      await api.chat.complete(question, { source: { kind: "chat", client: "a client" }, caller: "me" });
      const { attempts, ...call } = await called();
      assert.deepEqual(
        attempts.map(({ status, requestId, error, waitReason }) => [
          status,
          requestId,
          error?.kind,
          waitReason,
        ]),
        [
          [503, "r1", "unavailable", "unavailable"],
          [503, "r2", "unavailable", "unavailable"],
          [200, "r3", undefined, undefined],
        ],
      );
      assert.equal(call.endpoint, "chat.complete");
      assert.equal(call.model, "echo");
      assert.equal(call.caller, "me");
      assert.deepEqual(call.source, { kind: "chat", client: "a client" });
      assert.equal(call.error, undefined);
      assert.equal(call.charge?.fact.by, "tokens");
      const [first] = attempts;
      const last = attempts.at(-1) ?? assert.fail();
      assert.ok(call.queuedMs <= (first?.startMs ?? 0) && last.endMs <= call.endMs);
      assert.ok((last.headersMs ?? 0) >= last.startMs && (last.firstByteMs ?? 0) >= (last.headersMs ?? 0));
      assert.equal(last.method, "POST");
      assert.equal(last.path, "/chat/completions");
      assert.deepEqual(JSON.parse(last.request?.text ?? ""), question);
      assert.equal(last.request?.isChanged, false);
      assert.equal(JSON.parse(last.response?.text ?? "").choices[0].message.content, "fine");
      assert.equal(last.requestHeaders.authorization, "***");
      assert.ok(!JSON.stringify(attempts).includes(canary));
    });

    test("of a stream is complete when the stream is: first token, all events, the charge", async (t) => {
      const { api, called } = await recording(
        t,
        (_, response) => {
          beginEvents(response, { ...chunk(""), choices: [{ index: 0, delta: { role: "assistant" } }] });
          response.write(frame(chunk("Hel")));
          response.end(frame(chunk("lo", "stop")) + frame("[DONE]"));
        },
        { transport: create() },
      );
      await drain(await api.chat.stream(question));
      const { attempts, error, charge } = await called();
      const [attempt] = attempts;
      assert.equal(attempts.length, 1);
      assert.equal(error, undefined);
      assert.equal(charge?.type, "charged");
      assert.ok((attempt?.firstTokenMs ?? 0) >= (attempt?.firstByteMs ?? Number.NaN));
      assert.match(attempt?.response?.text ?? "", /Hel[\s\S]*lo[\s\S]*\[DONE\]/);
    });

    test("of a stream that is left or fails says so", async (t) => {
      const { api, called } = await recording(
        t,
        (_, response) => beginEvents(response, chunk("Hel"), { error: { message: "overloaded" } }),
        { transport: create() },
      );
      const { error } = await drain(await api.chat.stream(question));
      assert.ok(error instanceof ApiError);
      const failed = await called();
      assert.equal(failed.error?.kind, error.kind);
      assert.equal(failed.attempts[0]?.status, 200);
      for await (const _ of await api.chat.stream(question)) break;
      assert.equal((await called()).error, undefined);
    });

    test("of a file has its type and size, and not its content", async (t) => {
      const bytes = png(256, 256);
      const { api, called } = await recording(
        t,
        (_, response) => {
          response.writeHead(200, { "content-type": "image/png" });
          response.end(bytes);
        },
        { transport: create() },
      );
      const image = uploadFromBytes("photo.png", "image/png", bytes);
      await toBytes(await api.images.edit({ prompt: "a hat", image }));
      const [attempt] = (await called()).attempts;
      assert.deepEqual(attempt?.response, { type: "image/png", bytes: bytes.length, isChanged: true });
      assert.equal(attempt?.request?.isChanged, true);
      assert.match(attempt?.request?.text ?? "", /photo\.png|bytes\]/);
      assert.ok((attempt?.request?.text ?? "").length < 1000);
    });
  });
}

test("a call that was refused before it was sent is recorded with the reason", async (t) => {
  const refusal = new ApiError("payment-required", "over the budget", { source: "budget" });
  const { api, called } = await recording(t, () => assert.fail("it was sent"), {
    admit: async () => {
      throw refusal;
    },
  });
  await assert.rejects(api.chat.complete(question));
  const { attempts, error } = await called();
  assert.deepEqual(attempts, []);
  assert.deepEqual(error, { kind: "payment-required", message: "over the budget" });
});

test("a call that got no answer is recorded as failed", async (t) => {
  const { api, called } = await recording(t, (_, response) => response.socket?.resetAndDestroy());
  await assert.rejects(api.chat.complete(question, { once: true }));
  const { attempts, error } = await called();
  assert.equal(attempts[0]?.status, undefined);
  assert.equal(attempts[0]?.error?.kind, "network");
  assert.equal(error?.kind, "network");
});

test("without somebody who wants it there is no record, and one call can ask for its own", async (t) => {
  const events: ClientEvent[] = [];
  const { api } = await recording(t, (_, response) => sendJson(response, 200, completion("fine")), {
    isRecorded: () => false,
    observe: (event) => events.push(event),
  });
  await api.chat.complete(question);
  const own = Promise.withResolvers<Called>();
  const observe: CallOptions["observe"] = (event) => event.type === "called" && own.resolve(event);
  await api.chat.complete(question, { isRecorded: true, observe });
  await own.promise;
  assert.equal(events.filter(({ type }) => type === "called").length, 1);
});

test("the caller's secrets are in no part of the record", async (t) => {
  const { api, called } = await recording(t, (_, response) =>
    sendJson(response, 400, { error: { message: "no account hunter2hunter2" } }),
  );
  const hide = (text: string) => text.replaceAll("hunter2hunter2", "***");
  const body = { jsonrpc: "2.0" as const, id: 1, method: "eth_call", params: ["hunter2hunter2"] };
  await assert.rejects(api.rpc.call({ network: "ethereum-mainnet", body }, { hide }));
  const record = await called();
  assert.ok(!JSON.stringify(record).includes("hunter2"));
  assert.equal(record.attempts[0]?.request?.isChanged, true);
});
