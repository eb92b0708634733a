import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { ClientEvent } from "../../src/api/call/client.ts";
import { assertErrorBody } from "./suite/derived.ts";
import { apiOf, failureOf, transports } from "./suite/suite.ts";
import { type SandboxTarget, sandboxTargets } from "./suite/target.ts";
import { errorText, fieldsNamed, send } from "./suite/wire.ts";

const chat = "/chat/completions";
const chatBody = (model: string, content = "hi") => ({ model, messages: [{ role: "user", content }] });

for (const { name, open } of sandboxTargets) {
  describe(`limits and errors, ${name}`, () => {
    let target: SandboxTarget;
    const standard = name.includes("standard");
    before(async () => {
      target = await open();
    });
    beforeEach(() => target.settle());
    after(() => target.close());

    test("every response has the request window and a request id", async () => {
      const replies = [
        await send(target, { path: "/models", key: null }),
        await send(target, { path: "/no/such/path" }),
        await send(target, { path: "/api_keys/rate_limits", key: "wrong" }),
        await send(target, { path: chat, body: chatBody("echo") }),
      ];
      const ids = replies.map(({ headers }) => headers.get("x-request-id") ?? "");
      assert.ok(ids.every((id) => /^[0-9a-f]{32}$/.test(id)));
      assert.equal(new Set(ids).size, ids.length);
      for (const { headers } of replies) {
        const [limit, remaining] = ["limit", "remaining"].map((part) =>
          Number(headers.get(`x-ratelimit-${part}-requests`)),
        );
        assert.ok(limit && remaining !== undefined && remaining <= limit && remaining >= limit - 4);
        assert.ok(headers.has("x-ratelimit-remaining-tokens"));
      }
    });

    test("what takes no tokens has the header of tokens, too, where the spec has it in every response", async () => {
      const replies = [
        await send(target, { path: "/audio/speech", body: { input: "hi", model: "speaker" } }),
        await send(target, { path: "/images/generations", body: { prompt: "a sea", size: "256x256" } }),
        await send(target, { path: "/audio/speech", body: { input: "", model: "speaker" } }),
      ];
      assert.deepEqual(
        replies.map(({ status }) => status),
        [200, 200, 400],
      );
      for (const { headers } of replies) {
        const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((part) =>
          headers.get(`x-ratelimit-${part}-tokens`),
        );
        if (!standard) assert.deepEqual([limit, remaining, reset], [null, null, null]);
        else assert.ok(Number(limit) > 0 && remaining === limit && Number(reset) <= 60);
      }
    });

    test("windows reset at a Unix time, in the unit of the dialect", async () => {
      const { headers } = await send(target, { path: chat, body: chatBody("echo") });
      const value = (part: string) => Number(headers.get(`x-ratelimit-reset-${part}`));
      if (standard) {
        assert.ok(value("requests") > 1e9 && value("requests") < 1e11);
        assert.ok(value("tokens") > 0 && value("tokens") <= 60);
      } else {
        assert.ok(value("requests") > 1e12 && value("tokens") > 1e12);
      }
    });

    test("a request over a model's window gets 429 until the minute is over", async () => {
      const ask = (model: string) => send(target, { path: chat, body: chatBody(model) });
      const statuses: number[] = [];
      for (let count = 0; count < 20; count++) statuses.push((await ask("guide-classic")).status);
      assert.deepEqual(new Set(statuses), new Set([200]));
      const refused = await ask("guide-classic");
      assert.equal(refused.status, 429);
      assert.equal(refused.headers.get("x-ratelimit-remaining-requests"), "0");
      assertErrorBody(refused);
      assert.equal((await ask("guide")).status, 200);
      const key = target.sandbox.inferenceKey;
      assert.equal((await send(target, { path: chat, body: chatBody("guide-classic"), key })).status, 200);
      await target.settle();
      assert.equal((await ask("guide-classic")).status, 200);
    });

    test("tokens have a separate window", async () => {
      const write = () => send(target, { path: chat, body: chatBody("long", "400000 tokens") });
      assert.equal((await write()).status, 200);
      assert.equal((await write()).status, 200);
      assert.equal((await write()).status, 200);
      const refused = await write();
      assert.equal(refused.status, 429);
      assert.match(errorText(refused.json), /tokens/);
      assert.equal(refused.headers.get("x-ratelimit-remaining-tokens"), "0");
    });

    test("too many failures block all requests for 30 seconds", async () => {
      const budget = standard ? 20 : 50;
      const fail = () => send(target, { path: chat, body: { ...chatBody("echo"), temperature: 3 } });
      const good = () => send(target, { path: chat, body: chatBody("echo") });
      for (let count = 0; count < budget; count++) assert.equal((await fail()).status, 400);
      assert.equal((await good()).status, 200);
      assert.equal((await fail()).status, 400);
      const blocked = await good();
      assert.equal(blocked.status, 429);
      assert.match(errorText(blocked.json), /wait 30 ?s/i);
      await target.settle();
      assert.equal((await good()).status, 200);
    });

    test("the failure budget counts per caller, on venice per model and user too, and headers report the rest", async () => {
      const fail = (user: string) =>
        send(target, { path: chat, body: { ...chatBody("echo"), user, temperature: 3 } });
      const budget = standard ? 20 : 50;
      for (let count = 0; count <= budget; count++) await fail("ann");
      assert.equal((await fail("ann")).status, 429);
      const other = await fail("ben");
      assert.equal(other.status, standard ? 429 : 400);
      assert.equal(other.headers.get("x-ratelimit-remaining"), standard ? null : "49");
      assert.equal(other.headers.has("x-ratelimit-resets"), !standard);
      const key = target.sandbox.inferenceKey;
      assert.equal((await send(target, { path: chat, body: chatBody("echo"), key })).status, 200);
    });

    test("a body over 35 MB is refused, one just below is read", async () => {
      const padded = (size: number) => {
        const body = JSON.stringify({ ...chatBody("echo"), metadata: { pad: "" } });
        return body.replace('"pad":""', `"pad":"${"x".repeat(size - body.length)}"`);
      };
      assert.equal((await send(target, { path: chat, text: padded(35_000_000) })).status, 200);
      const reply = await send(target, { path: chat, text: padded(35_000_001) });
      assert.equal(reply.status, 413);
      assert.equal((reply.json as { code?: string }).code, standard ? undefined : "PAYLOAD_TOO_LARGE");
      assertErrorBody(reply);
    });

    test("the other dialect's member for service parameters is unknown", async () => {
      const foreign = standard ? "venice_parameters" : "service_parameters";
      const reply = await send(target, { path: chat, body: { ...chatBody("echo"), [foreign]: {} } });
      assert.equal(reply.status, 400);
      assert.deepEqual(fieldsNamed(reply.json), [foreign]);
      const own = standard ? "service_parameters" : "venice_parameters";
      const whole = await send(target, { path: chat, body: { ...chatBody("echo"), [own]: {} } });
      assert.ok(own in (whole.json as object));
      assert.ok(!(foreign in (whole.json as object)));
    });

    test("a validation error is reported as a tree and as a list", async () => {
      const body = { ...chatBody("echo"), temperature: 3, messages: [{ role: "user", content: 7 }] };
      const { json } = await send(target, { path: chat, body });
      const { details } = json as {
        details: Record<string, { _errors: string[] } & Record<string, unknown>>;
      };
      assert.ok((details.temperature?._errors.length ?? 0) > 0);
      assert.ok("0" in (details.messages ?? {}));
      assert.deepEqual(new Set(fieldsNamed(json)), new Set(["temperature", "messages"]));
    });

    test("an unknown model is reported in the dialect's shape", async () => {
      const { status, json } = await send(target, { path: chat, body: chatBody("nobody") });
      assert.equal(status, 404);
      const { error } = json as { error: unknown };
      if (standard) assert.match(String(error), /nobody/);
      else assert.equal((error as { param?: string }).param, "model");
    });

    test("headers announce the retirement of a model on venice", async () => {
      const { headers } = await send(target, { path: chat, body: chatBody("guide-classic") });
      assert.equal(headers.has("x-venice-model-deprecation-date"), !standard);
      assert.match(headers.get("x-venice-model-deprecation-warning") ?? "guide", /guide/);
    });

    test("a prompt beyond the context window is refused", async () => {
      const reply = await send(target, { path: chat, body: chatBody("guide-classic", "word ".repeat(9000)) });
      assert.equal(reply.status, 400);
      assert.deepEqual(fieldsNamed(reply.json), ["messages"]);
    });

    test("the client waits for a spent window and reports which", async () => {
      const transport = transports.host();
      for (let count = 0; count < 20; count++)
        await send(target, { path: chat, body: chatBody("guide-classic") });
      const stopped = new AbortController();
      const waits: string[] = [];
      const observe = (event: ClientEvent) => {
        if (event.type !== "waiting") return;
        waits.push(`${event.because.kind} ${event.ms > 0 && event.ms <= 61_000}`);
        stopped.abort();
      };
      const ask = apiOf(target, transport).chat.complete(
        { model: "guide-classic", messages: [{ role: "user", content: "hi" }] },
        { signal: stopped.signal, observe },
      );
      assert.equal((await failureOf(ask)).kind, "cancelled");
      assert.deepEqual(waits, ["rate-limited true"]);
      await transport.close();
    });
  });
}
