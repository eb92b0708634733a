// A recorded call as a span of OpenTelemetry: names of the conventions, money in its own currency, no content unasked.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toExport, toSpan } from "../../../../../src/requests/host/traces/otlpSpan.ts";
import { attemptOf, calledOf, headFor } from "../calledOf.ts";
import { ExportTraceServiceRequest, type ReceivedSpan, valuesOf } from "./collector.ts";

const server = { address: "api.example.com", port: 443 };

function spanOf(
  called = calledOf(),
  head = headFor(),
  withContent = false,
): { readonly span: ReceivedSpan; readonly values: Record<string, unknown>; readonly text: string } {
  const text = JSON.stringify(toExport([toSpan(head, called, { server, withContent })], "1.0.0"));
  const [span] =
    ExportTraceServiceRequest.parse(JSON.parse(text)).resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
  assert.ok(span);
  return { span, values: valuesOf(span), text };
}

test("a chat is an inference span with model, tokens and cost in its own currency", () => {
  const body = { model: "echo", max_tokens: 20, temperature: 0.5, prompt_cache_key: "c-1", messages: [] };
  const request = { type: "application/json", bytes: 1, text: JSON.stringify(body), isChanged: false };
  const reply = {
    type: "application/json",
    bytes: 1,
    text: '{"id":"x-1","model":"echo-2"}',
    isChanged: false,
  };
  const head = headFor({ promptTokens: 12, completionTokens: 3, cachedTokens: 8, cost: { DIEM: "0.0025" } });
  const { span, values } = spanOf(calledOf({ attempts: [attemptOf({ request, response: reply })] }), head);
  assert.equal(span.name, "chat echo");
  assert.equal(span.kind, 3);
  assert.equal(span.startTimeUnixNano, "990000000");
  assert.equal(span.endTimeUnixNano, "1500000000");
  assert.deepEqual(span.status, {});
  const expected = {
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "api.example.com",
    "gen_ai.request.model": "echo",
    "gen_ai.response.model": "echo-2",
    "gen_ai.response.id": "x-1",
    "gen_ai.conversation.id": "c-1",
    "gen_ai.request.max_tokens": "20",
    "gen_ai.request.temperature": 0.5,
    "gen_ai.usage.input_tokens": "12",
    "gen_ai.usage.output_tokens": "3",
    "gen_ai.usage.cache_read.input_tokens": "8",
    "inference_workbench.cost.diem": 0.0025,
    "http.response.status_code": "200",
    "server.address": "api.example.com",
    "server.port": "443",
    "inference_workbench.source": "chat",
  };
  assert.deepEqual({ ...values, ...expected }, values);
  assert.equal(values["inference_workbench.cost.usd"], undefined);
});

test("calls for one question are one trace, others are alone, and each call has a span of its own", () => {
  const of = (id: string, source: object) =>
    spanOf(calledOf({ id, source: { kind: "chat", ...source } })).span;
  const [first, second] = [of("a", { turn: "q-1" }), of("b", { turn: "q-1" })];
  assert.equal(first.traceId, second.traceId);
  assert.notEqual(first.spanId, second.spanId);
  const inTask = of("c", { turn: "q-1", task: { id: "q-1", round: 2, capUsd: 1 } });
  assert.equal(inTask.traceId, first.traceId);
  assert.notEqual(of("d", {}).traceId, of("e", {}).traceId);
});

test("retries are events with status and wait, and a failure is the status of the span", () => {
  const busy = attemptOf({ status: 503, error: { kind: "unavailable", message: "busy" }, waitMs: 250 });
  const failed = calledOf({
    attempts: [busy, attemptOf({ status: 500, error: { kind: "unavailable", message: "broken" } })],
    error: { kind: "unavailable", message: "broken" },
  });
  const { span, values } = spanOf(failed, headFor(), true);
  const [retry] = span.events;
  assert.ok(retry);
  assert.deepEqual(valuesOf(retry), {
    "http.response.status_code": "503",
    "error.type": "unavailable",
    "inference_workbench.wait_ms": "250",
  });
  assert.deepEqual(span.status, { code: 2, message: "broken" });
  // A service may quote the question.
  const { span: bare, text } = spanOf(failed);
  assert.deepEqual(bare.status, { code: 2 });
  assert.doesNotMatch(text, /broken|busy/);
  assert.equal(values["error.type"], "500");
  assert.equal(values["http.request.resend_count"], "1");
  const unsent = calledOf({ attempts: [], error: { kind: "payment-required", message: "over" } });
  assert.equal(spanOf(unsent).values["error.type"], "payment-required");
});

test("other calls are spans of HTTP, without names of models", () => {
  const { span, values } = spanOf(
    calledOf({ endpoint: "rpc.call", attempts: [attemptOf({ path: "/crypto/rpc/ethereum-mainnet" })] }),
  );
  assert.equal(span.name, "POST /crypto/rpc/{network}");
  assert.equal(values["url.template"], "/crypto/rpc/{network}");
  assert.ok(!Object.keys(values).some((key) => key.startsWith("gen_ai.")));
});

const secretWords = "the words of the user";
const chat = {
  model: "echo",
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: [{ type: "text", text: secretWords }, { type: "image_url" }] },
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: "t", function: { name: "now", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "t", content: "noon" },
  ],
};

test("what was asked and answered is in a span only with the setting", () => {
  const request = { type: "application/json", bytes: 1, text: JSON.stringify(chat), isChanged: false };
  const events = `data: ${JSON.stringify({ choices: [{ delta: { content: "the words of the model" } }] })}\n\ndata: [DONE]\n\n`;
  const response = { type: "text/event-stream", bytes: 1, text: events, isChanged: false };
  const called = calledOf({ endpoint: "chat.stream", attempts: [attemptOf({ request, response })] });
  assert.ok(!/the words of/.test(spanOf(called).text));
  const { values } = spanOf(called, headFor(), true);
  assert.deepEqual(JSON.parse(String(values["gen_ai.input.messages"])), [
    { role: "system", parts: [{ type: "text", content: "Be brief." }] },
    { role: "user", parts: [{ type: "text", content: `${secretWords}\n[image_url]` }] },
    { role: "assistant", parts: [{ type: "tool_call", id: "t", name: "now", arguments: "{}" }] },
    { role: "tool", parts: [{ type: "tool_call_response", id: "t", response: "noon" }] },
  ]);
  assert.deepEqual(JSON.parse(String(values["gen_ai.output.messages"])), [
    { role: "assistant", parts: [{ type: "text", content: "the words of the model" }], finish_reason: "" },
  ]);
});
