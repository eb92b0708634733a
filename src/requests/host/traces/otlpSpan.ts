import { createHash } from "node:crypto";
import type { AttemptRecord, Called } from "../../../api/call/record/callRecorder.ts";
import { rowOf } from "../../../api/table.ts";
import { isMembers, type Members, ownMember } from "../../../shared/members.ts";
import { stringIn } from "../../../shared/stringIn.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import type { RequestHead } from "../log/requestHead.ts";
import { type Attributes, contentAttributes } from "./spanContent.ts";

// A call as a span: OTLP in its JSON form (opentelemetry-proto, ProtoJSON with hexadecimal ids and 64-bit integers as
// text), with the attributes of the conventions for generative AI clients (semantic-conventions, gen-ai-spans.md).

type AnyValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

interface SpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly KeyValue[];
}

export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly SpanEvent[];
  readonly status: { readonly code?: number; readonly message?: string };
}

/** SPAN_KIND_CLIENT and STATUS_CODE_ERROR of the protocol. */
const clientKind = 3;
const errorCode = 2;

export interface SpanOptions {
  /** Host and port of the service; undefined if it is not known. */
  readonly server: { readonly address: string; readonly port: number } | undefined;
  /** True if the span has what was asked and answered. Without it, its error is a kind: a message may quote the question. */
  readonly withContent: boolean;
}

/** What a call of a row does, by its endpoint or the resource of it. Others are plain HTTP. */
const operations: Readonly<Record<string, { readonly name: string; readonly output?: string }>> = {
  "chat.complete": { name: "chat" },
  "chat.stream": { name: "chat" },
  embeddings: { name: "embeddings" },
  images: { name: "generate_content", output: "image" },
  audio: { name: "generate_content", output: "speech" },
};

/** The calls for one question of a chat are one trace; so is any other call by itself. */
export function toSpan(head: RequestHead, called: Called, options: SpanOptions): OtlpSpan {
  const { id, endpoint, source, queuedMs, endMs, attempts, error } = called;
  const [resource = ""] = endpoint.split(".");
  const row = rowOf(endpoint);
  const operation =
    row?.price.by === "nothing"
      ? undefined
      : (ownMember(operations, endpoint) ?? ownMember(operations, resource));
  const route = row ? `${row.method} ${row.path}` : endpoint;
  const name = operation ? [operation.name, called.model].filter(Boolean).join(" ") : route;
  const common = commonAttributes(head, called, options.server);
  const genAi = operation ? genAiAttributes(head, called, operation, options.server) : {};
  const content = operation && options.withContent ? contentAttributes(called) : {};
  return {
    traceId: hex(source?.task?.id ?? source?.turn ?? id, 32),
    spanId: hex(`span ${id}`, 16),
    name,
    kind: clientKind,
    startTimeUnixNano: nanoseconds(queuedMs),
    endTimeUnixNano: nanoseconds(endMs),
    attributes: keyValues({ ...common, ...genAi, ...content }),
    events: attempts.slice(0, -1).map(retryEvent),
    status: error ? { code: errorCode, ...(options.withContent ? { message: error.message } : {}) } : {},
  };
}

/** The request of OTLP over HTTP with these spans. */
export function toExport(spans: readonly OtlpSpan[], extensionVersion: string): Members {
  const scope = { name: "inference-workbench", version: extensionVersion };
  const resource = {
    attributes: keyValues({ "service.name": "inference-workbench", "service.version": extensionVersion }),
  };
  return { resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] };
}

function commonAttributes(head: RequestHead, called: Called, server: SpanOptions["server"]): Attributes {
  const { attempts, error, source } = called;
  const last = attempts.at(-1);
  const costs = Object.entries(head.cost ?? {}).map(([currency, amount]) => [
    `inference_workbench.cost.${currency.toLowerCase()}`,
    Number(amount),
  ]);
  return {
    "http.request.method": last?.method,
    "url.template": rowOf(called.endpoint)?.path,
    "http.response.status_code": last?.status,
    "http.request.resend_count": attempts.length > 1 ? attempts.length - 1 : undefined,
    "error.type":
      error && (last?.error?.kind === error.kind && last.status ? String(last.status) : error.kind),
    "server.address": server?.address,
    "server.port": server?.port,
    "inference_workbench.connection": head.connection,
    "inference_workbench.source": source?.kind,
    "inference_workbench.client": source?.client,
    "inference_workbench.request_id": last?.requestId,
    "inference_workbench.cost.unknown": head.isCostUnknown,
    "inference_workbench.play_money": head.isPlayMoney,
    ...Object.fromEntries(costs),
  };
}

function genAiAttributes(
  head: RequestHead,
  { dialect, model, attempts, queuedMs }: Called,
  operation: { readonly name: string; readonly output?: string },
  server: SpanOptions["server"],
): Attributes {
  const last = attempts.at(-1);
  const request = membersIn(last?.request?.text);
  const reply = membersIn(last?.response?.text);
  const { promptTokens, completionTokens, cachedTokens } = head;
  const firstMs = last?.firstTokenMs;
  return {
    "gen_ai.operation.name": operation.name,
    "gen_ai.provider.name": dialect === "venice" ? "venice" : (server?.address ?? "sandbox"),
    "gen_ai.output.type": operation.output,
    "gen_ai.request.model": model,
    "gen_ai.conversation.id": stringIn(request.prompt_cache_key),
    "gen_ai.request.max_tokens": numberOf(request.max_completion_tokens ?? request.max_tokens),
    "gen_ai.request.temperature": numberOf(request.temperature),
    "gen_ai.request.top_p": numberOf(request.top_p),
    "gen_ai.request.seed": numberOf(request.seed),
    "gen_ai.response.id": stringIn(reply.id),
    "gen_ai.response.model": stringIn(reply.model),
    "gen_ai.usage.input_tokens": promptTokens,
    "gen_ai.usage.output_tokens": completionTokens,
    "gen_ai.usage.cache_read.input_tokens": cachedTokens,
    "inference_workbench.first_token_ms": firstMs === undefined ? undefined : firstMs - queuedMs,
  };
}

function retryEvent({ endMs, status, error, waitMs }: AttemptRecord): SpanEvent {
  return {
    timeUnixNano: nanoseconds(endMs),
    name: "retry",
    attributes: keyValues({
      "http.response.status_code": status,
      "error.type": error?.kind,
      "inference_workbench.wait_ms": waitMs === undefined ? undefined : Math.round(waitMs),
    }),
  };
}

function keyValues(attributes: Attributes): readonly KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean | readonly string[]): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}

function nanoseconds(ms: number): string {
  return String(BigInt(Math.round(ms)) * 1_000_000n);
}

/** An id of the protocol, which is the same for the same text. */
function hex(text: string, digits: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}

function membersIn(text: string | undefined): Members {
  const value = text === undefined ? undefined : parseJson(text);
  return isMembers(value) ? value : {};
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}
