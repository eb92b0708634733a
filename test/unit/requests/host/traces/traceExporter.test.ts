// Spans are posted to a collector in batches; its failures are told once, and nothing waits for it.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createHostTransport } from "../../../../../src/api/transport/host.ts";
import { toSpan } from "../../../../../src/requests/host/traces/otlpSpan.ts";
import {
  TraceExporter,
  type TraceExporterOptions,
} from "../../../../../src/requests/host/traces/traceExporter.ts";
import { calledOf, headFor } from "../calledOf.ts";
import { openCollector } from "./collector.ts";

const span = (id: string) =>
  toSpan(headFor({ id }), calledOf({ id }), { server: undefined, withContent: false });

function exporterFor(t: TestContext, url: string, options: Partial<TraceExporterOptions> = {}) {
  const failures: string[] = [];
  const exporter = new TraceExporter({
    url,
    extensionVersion: "1.0.0",
    transport: createHostTransport(),
    maySend: () => true,
    onFailure: (reason) => failures.push(reason),
    ...options,
  });
  t.after(() => exporter.dispose());
  return { exporter, failures };
}

test("spans arrive in one batch, in the form of the protocol", async (t) => {
  const collector = await openCollector(t);
  const { exporter, failures } = exporterFor(t, `${collector.origin}/v1/traces`);
  for (const id of ["a", "b", "c"]) exporter.add(span(id));
  await exporter.flush();
  assert.deepEqual(collector.refusals, []);
  assert.equal(collector.bodies.length, 1);
  assert.equal(collector.spans.length, 3);
  assert.deepEqual(failures, []);
});

test("spans are sent by themselves after a short time", async (t) => {
  const collector = await openCollector(t);
  const { exporter } = exporterFor(t, `${collector.origin}/v1/traces`, { delays: { gatherMs: 1 } });
  const arrived = collector.next();
  exporter.add(span("a"));
  await arrived;
  assert.equal(collector.spans.length, 1);
});

test("a collector that is busy gets the same spans again, and the failure is told once", async (t) => {
  const collector = await openCollector(t);
  const { exporter, failures } = exporterFor(t, `${collector.origin}/v1/traces`);
  collector.answer = (_, response) => response.writeHead(503).end();
  exporter.add(span("a"));
  await exporter.flush();
  exporter.add(span("b"));
  await exporter.flush();
  assert.deepEqual(failures, ["it answered 503"]);
  collector.answer = undefined;
  await exporter.flush();
  assert.equal(new Set(collector.spans.map(({ spanId }) => spanId)).size, 2);
  assert.equal(collector.spans.length, 2);
});

test("a refusal for good drops the batch, and a partial one is told", async (t) => {
  const collector = await openCollector(t);
  const { exporter, failures } = exporterFor(t, `${collector.origin}/v1/traces`);
  collector.answer = (_, response) => response.writeHead(401).end("no");
  exporter.add(span("a"));
  await exporter.flush();
  await exporter.flush();
  assert.equal(collector.bodies.length, 1);
  assert.deepEqual(failures, ["it answered 401"]);
  collector.answer = undefined;
  exporter.add(span("b"));
  await exporter.flush();
  collector.answer = (_, response) =>
    response.writeHead(200).end(JSON.stringify({ partialSuccess: { rejectedSpans: "1" } }));
  exporter.add(span("c"));
  await exporter.flush();
  assert.deepEqual(failures, ["it answered 401", "it refused 1 of the spans"]);
});

test("an address where nobody listens is told, and the queue is bounded", async (t) => {
  const collector = await openCollector(t);
  const { exporter, failures } = exporterFor(t, "http://127.0.0.1:1/v1/traces");
  exporter.add(span("a"));
  await exporter.flush();
  assert.equal(failures.length, 1);
  const full = exporterFor(t, `${collector.origin}/v1/traces`);
  for (let call = 0; call < 2_100; call++) full.exporter.add(span(`call-${call}`));
  await full.exporter.flush();
  assert.equal(collector.spans.length, 2_048);
  assert.ok(collector.spans.some(({ spanId }) => spanId === span("call-2099").spanId));
});

test("a collector that does not answer ends with the timeout, and nothing is sent after a revocation", async (t) => {
  const collector = await openCollector(t);
  let isAllowed = true;
  const { exporter, failures } = exporterFor(t, `${collector.origin}/v1/traces`, {
    delays: { timeoutMs: 50 },
    maySend: () => isAllowed,
  });
  collector.answer = () => {};
  exporter.add(span("a"));
  await exporter.flush();
  assert.deepEqual(failures, ["it did not answer in time"]);
  isAllowed = false;
  const before = collector.bodies.length;
  exporter.add(span("b"));
  await exporter.flush();
  assert.equal(collector.bodies.length, before);
});

test("long spans are sent in smaller batches, and of too many bytes the oldest spans are dropped", async (t) => {
  const collector = await openCollector(t);
  const { exporter, failures } = exporterFor(t, `${collector.origin}/v1/traces`);
  collector.answer = (_, response) => response.writeHead(503).end();
  const mebibyte = 1024 * 1024;
  const ids = Array.from({ length: 20 }, (_, index) => `call ${index}`);
  for (const id of ids) exporter.add({ ...span(id), name: id.padEnd(mebibyte, "x") });
  await exporter.flush();
  collector.answer = undefined;
  await exporter.flush();
  assert.deepEqual(failures, ["it answered 503"]);
  const arrived = collector.spans.map(({ name }) => name.replace(/x+$/, ""));
  assert.deepEqual(arrived, ids.slice(-15));
  for (const body of collector.bodies) assert.ok(body.length < 4.1 * mebibyte, String(body.length));
});
