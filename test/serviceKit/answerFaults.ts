import { STATUS_CODES } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import type { ArrivedRequest } from "../../src/sandbox/http/answer.ts";
import { html, type Reply } from "../../src/sandbox/http/reply.ts";
import { edgePage, errorShapes } from "./errorShapes.ts";
import { Drop, type Fault, type Faults, faultOf } from "./faults.ts";
import { faultyBytes, faultyReply } from "./replyFaults.ts";

/** The reply to a request with these faults. Throws Drop if one cuts the connection. */
export async function answerWithFaults(
  request: ArrivedRequest,
  faults: Faults,
  serve: (request: ArrivedRequest) => Promise<Reply>,
): Promise<Reply> {
  const { headers, signal } = request;
  const slow = faultOf(faults, "slow-headers");
  if (slow) await delay(slow.ms, undefined, { signal });
  const reply = await answer(request, faults, serve);
  return faultyBytes(reply, faults, { acceptEncoding: String(headers["accept-encoding"] ?? ""), signal });
}

async function answer(
  request: ArrivedRequest,
  faults: Faults,
  serve: (request: ArrivedRequest) => Promise<Reply>,
): Promise<Reply> {
  const early = replacement(faults.filter((fault) => !isLate(fault)));
  if (early) return early;
  const reply = await serve(faultOf(faults, "whole") ? withoutStream(request) : request);
  const late = faults.filter(isLate);
  if (late.length > 0) await readAll(reply);
  return replacement(late) ?? faultyReply(reply, faults);
}

function withoutStream(request: ArrivedRequest): ArrivedRequest {
  const { body } = request;
  if (body.kind !== "text" || typeof body.value !== "object" || body.value === null) return request;
  const { stream, stream_options, ...value } = body.value as Readonly<Record<string, unknown>>;
  return { ...request, body: { ...body, text: JSON.stringify(value), value } };
}

/** Lets the service finish its work, so that it is charged. */
async function readAll({ body }: Reply): Promise<void> {
  if (body.kind === "events") for await (const _ of body.batches);
  if (body.kind === "bytes") for await (const _ of body.pieces);
}

function isLate(fault: Fault): boolean {
  return "late" in fault && fault.late === true;
}

function replacement(faults: Faults): Reply | undefined {
  if (faultOf(faults, "drop")) throw new Drop("dropped before the headers");
  const redirect = faultOf(faults, "redirect");
  if (redirect) return redirected(redirect.status ?? 302, redirect.location);
  const page = faultOf(faults, "html");
  if (page) return html(page.status ?? 200, edgePage(STATUS_CODES[page.status ?? 200] ?? "Answer"));
  const replaced = faultOf(faults, "json");
  if (replaced) return { status: replaced.status ?? 200, headers: {}, body: jsonBody(replaced.body) };
  const status = faultOf(faults, "status");
  return status && failed(status);
}

function redirected(status: number, location: string): Reply {
  return { status, headers: { location }, body: { kind: "text", text: "", contentType: "text/plain" } };
}

function failed(fault: Extract<Fault, { kind: "status" }>): Reply {
  const message = fault.message ?? STATUS_CODES[fault.status] ?? "Failed";
  const headers = fault.headers ?? {};
  const { status } = fault;
  if (fault.body !== undefined) return { status, headers, body: jsonBody(fault.body) };
  const shape = fault.shape ?? "text";
  const body = errorShapes[shape](message);
  if (typeof body !== "string") return { status, headers, body: jsonBody(body) };
  const contentType = shape === "html" ? "text/html; charset=utf-8" : "text/plain; charset=utf-8";
  return { status, headers, body: { kind: "text", text: body, contentType } };
}

function jsonBody(value: unknown) {
  return { kind: "json", value } as const;
}
