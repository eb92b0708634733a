import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Fault } from "../../serviceKit/faults.ts";
import { startTestSandbox, type TestSandbox } from "../../serviceKit/testSandbox.ts";

const text = "Grüße aus 東京 👩‍👩‍👧";
let sandbox: TestSandbox;

function ask(stream: boolean, signal?: AbortSignal): Promise<Response> {
  return fetch(`${sandbox.baseUrl}/chat/completions`, {
    method: "POST",
    redirect: "manual",
    headers: { authorization: `Bearer ${sandbox.apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "echo", stream, messages: [{ role: "user", content: text }] }),
    ...(signal ? { signal } : {}),
  });
}

async function struck(fault: Fault, stream = true): Promise<{ response: Response; body: string }> {
  sandbox.setFaults([fault]);
  const response = await ask(stream);
  return { response, body: await response.text() };
}

/** The chunks of a body, up to the error that ends it. */
async function pieces(response: Response): Promise<{ parts: Uint8Array[]; error: unknown }> {
  const parts: Uint8Array[] = [];
  try {
    for await (const part of response.body ?? []) parts.push(part);
    return { parts, error: undefined };
  } catch (error) {
    return { parts, error };
  }
}

describe("faults", () => {
  before(async () => {
    sandbox = await startTestSandbox({ tokensPerSecond: Number.POSITIVE_INFINITY, limits: "none" });
  });
  after(() => sandbox.close());

  test("status: any status, with each shape of body, and headers", async () => {
    const headers = { "retry-after": "7" };
    const plain = await struck({ kind: "status", status: 503, message: "full", headers });
    assert.equal(plain.response.status, 503);
    assert.equal(plain.response.headers.get("retry-after"), "7");
    assert.deepEqual(JSON.parse(plain.body), { error: "full" });
    const nested = await struck({ kind: "status", status: 404, shape: "nested", message: "gone" });
    assert.equal((JSON.parse(nested.body) as { error: { message: string } }).error.message, "gone");
    const page = await struck({ kind: "status", status: 502, shape: "html" });
    assert.match(page.response.headers.get("content-type") ?? "", /text\/html/);
    const own = await struck({ kind: "status", status: 400, body: { any: 1 } });
    assert.deepEqual(JSON.parse(own.body), { any: 1 });
  });

  test("html: a page in place of the service, under 200 or any status", async () => {
    for (const status of [200, 502]) {
      const { response, body } = await struck({ kind: "html", status });
      assert.equal(response.status, status);
      assert.match(body, /^<!DOCTYPE html>/);
    }
  });

  test("json: any value in place of the reply", async () => {
    const { response, body } = await struck({ kind: "json", body: [null], status: 201 });
    assert.equal(response.status, 201);
    assert.equal(body, "[null]");
  });

  test("redirect: names another address", async () => {
    const { response } = await struck({ kind: "redirect", location: "https://example.com/", status: 307 });
    assert.equal(response.status, 307);
    assert.equal(response.headers.get("location"), "https://example.com/");
  });

  test("cut: the connection ends inside a body of declared length", async () => {
    sandbox.setFaults([{ kind: "cut", bytes: 10 }]);
    const response = await ask(false);
    assert.ok(Number(response.headers.get("content-length")) > 10);
    const { parts, error } = await pieces(response);
    assert.equal(Buffer.concat(parts).byteLength, 10);
    assert.ok(error);
  });

  test("late: the service does its work before the reply is lost, else it never receives the request", async () => {
    const purse = async () => {
      const headers = { authorization: `Bearer ${sandbox.apiKey}` };
      const response = await fetch(`${sandbox.baseUrl}/api_keys/rate_limits`, { headers });
      const { data } = (await response.json()) as { data: { balances: { USD: number; DIEM: number } } };
      return data.balances.USD + data.balances.DIEM;
    };
    const costs = async (fault: Fault) => {
      sandbox.setFaults([]);
      const before = await purse();
      const { response } = await struck(fault);
      assert.equal(response.status, 502);
      sandbox.setFaults([]);
      return before - (await purse()) > 0;
    };
    assert.equal(await costs({ kind: "status", status: 502 }), false);
    assert.equal(await costs({ kind: "status", status: 502, late: true }), true);
  });

  test("drop: the connection ends without a reply, which is no abort of the caller", async () => {
    sandbox.setFaults([{ kind: "drop" }]);
    const arrived = sandbox.nextRequest();
    await assert.rejects(ask(true));
    const request = await arrived;
    await request.ended;
    assert.equal(request.status, undefined);
    assert.equal(request.aborted, false);
  });

  test("drop-stream: a number of events, then the connection ends", async () => {
    sandbox.setFaults([{ kind: "drop-stream", events: 3 }]);
    const { parts, error } = await pieces(await ask(true));
    assert.ok(error instanceof Error);
    assert.equal(
      Buffer.concat(parts)
        .toString()
        .match(/^data: /gm)?.length,
      3,
    );
  });

  test("error-event: a number of events, an error, [DONE]", async () => {
    const { response, body } = await struck({ kind: "error-event", events: 2, error: { message: "broke" } });
    assert.equal(response.status, 200);
    const events = body.trimEnd().split("\n\n");
    assert.deepEqual(events.slice(2), ['data: {"error":{"message":"broke"}}', "data: [DONE]"]);
  });

  test("no-done: all events except [DONE]", async () => {
    const { body } = await struck({ kind: "no-done" });
    assert.match(body, /"finish_reason":"stop"/);
    assert.doesNotMatch(body, /\[DONE\]/);
  });

  test("half-event: ends properly, inside an event", async () => {
    const { body } = await struck({ kind: "half-event", events: 2 });
    assert.equal(body.split("\n\n").length, 3);
    assert.ok(body.endsWith('"del'));
  });

  test("crlf: lines of events end with CR LF and are otherwise the same", async () => {
    const { body } = await struck({ kind: "crlf" });
    assert.doesNotMatch(body, /[^\r]\n/);
    assert.ok(body.endsWith("data: [DONE]\r\n\r\n"));
  });

  test("split-utf8: chunks begin inside characters, and together they are complete", async () => {
    sandbox.setFaults([{ kind: "split-utf8" }]);
    const { parts } = await pieces(await ask(true));
    assert.ok(parts.some((part) => ((part[0] ?? 0) & 0xc0) === 0x80));
    const events = Buffer.concat(parts).toString().split("\n\n").slice(0, -2);
    const said = events.map((event) => JSON.parse(event.slice(6)).choices[0]?.delta.content ?? "").join("");
    assert.equal(said, text);
  });

  test("drip: no chunk is larger than requested", async () => {
    sandbox.setFaults([{ kind: "drip", bytes: 100, ms: 1 }]);
    const { parts, error } = await pieces(await ask(false));
    assert.equal(error, undefined);
    assert.ok(parts.length > 3);
    JSON.parse(Buffer.concat(parts).toString());
  });

  test("slow-headers: nothing before the time, and an abort ends the wait", async () => {
    sandbox.setFaults([{ kind: "slow-headers", ms: 60_000 }]);
    const arrived = sandbox.nextRequest();
    const stop = new AbortController();
    const reply = ask(true, stop.signal);
    const request = await arrived;
    assert.equal(request.status, undefined);
    stop.abort();
    await assert.rejects(reply);
    await request.ended;
    assert.equal(request.aborted, true);
  });

  test("truncate: a proper end after a number of bytes", async () => {
    const { body } = await struck({ kind: "truncate", bytes: 40 }, false);
    assert.equal(body.length, 40);
  });

  test("whole: one JSON body in reply to stream: true", async () => {
    const { response, body } = await struck({ kind: "whole" });
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    assert.equal(JSON.parse(body).choices[0].message.content, text);
  });

  test("headers: added or replaced", async () => {
    const huge = "x".repeat(8000);
    const headers = { "content-type": "text/plain", "x-huge": huge };
    const { response } = await struck({ kind: "headers", headers }, false);
    assert.equal(response.headers.get("content-type"), "text/plain");
    assert.equal(response.headers.get("x-huge"), huge);
  });

  test("edit and edit-events: the reply as the function returns it", async () => {
    const edit = () => ({ odd: true });
    assert.deepEqual(JSON.parse((await struck({ kind: "edit", edit }, false)).body), { odd: true });
    const { body } = await struck({ kind: "edit-events", edit });
    assert.equal(new Set(body.trimEnd().split("\n\n")).size, 2);
  });

  test("applies to matching requests, a given number of times, after a given number", async () => {
    sandbox.setFaults([
      {
        kind: "status",
        status: 500,
        match: { method: "POST", path: "/chat/completions", model: "echo" },
        after: 1,
        times: 2,
      },
      { kind: "status", status: 503, match: { model: "guide" } },
    ]);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await ask(false)).status);
    assert.deepEqual(statuses, [200, 500, 500, 200]);
  });
});
