import { STATUS_CODES } from "node:http";
import type { Reply } from "../http/reply.ts";
import { html } from "../http/reply.ts";
import { Drop } from "../http/writeReply.ts";
import { edgePage, errorShapes } from "./errorShapes.ts";
import { type Fault, type Faults, faultOf } from "./faults.ts";

/** The reply that a fault gives in the service's place, if one does. */
export function earlyAnswer(faults: Faults): Reply | undefined {
  return faultyAnswer(faults.filter((fault) => !isLate(fault)));
}

/** The same, once the service is done: its own reply is made to its end and lost. */
export async function lateAnswer(faults: Faults, { body }: Reply): Promise<Reply | undefined> {
  const late = faults.filter(isLate);
  if (late.length === 0) return undefined;
  if (body.kind === "events") for await (const _ of body.batches);
  if (body.kind === "bytes") for await (const _ of body.pieces);
  return faultyAnswer(late);
}

function isLate(fault: Fault): boolean {
  return "late" in fault && fault.late === true;
}

function faultyAnswer(faults: Faults): Reply | undefined {
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
