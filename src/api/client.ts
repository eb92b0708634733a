import type * as z from "zod";
import { classifyReply, type FailedReply, requestIdOf } from "./classify.ts";
import { cancelled, createDeadline, type Deadline, type Timeouts } from "./deadline.ts";
import { type Dialect, fromWire } from "./dialect.ts";
import type { Endpoint } from "./endpoint.ts";
import { ApiError } from "./errors.ts";
import { abortReason, createEventStream, type EventStream, type StreamSource } from "./eventStream.ts";
import { type LimitHeaders, readLimits } from "./limits.ts";
import { classifyThrown } from "./networkError.ts";
import { rawLimit, redact } from "./redact.ts";
import { toRequest } from "./request.ts";
import { resendDelayMs, waitMs } from "./retry.ts";
import type { Transport, TransportRequest, TransportResponse } from "./transport/transport.ts";
import { checkInput, checkOutput, malformed } from "./validate.ts";

/** What one request on the wire came to; observers feed the log, the limits and the ledger from it. No bodies. */
export interface Exchange {
  readonly type: "exchange";
  readonly endpoint: string;
  readonly method: string;
  /** The row's path, with its members unfilled. */
  readonly path: string;
  /** 0 for the first try. */
  readonly attempt: number;
  /** Milliseconds until the headers, or until it failed. */
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly limits: LimitHeaders;
  /** The service's clock, as its Date header gives it. */
  readonly date?: string;
  readonly error?: ApiError;
}

/** A resend is due after `ms`. */
export interface Waiting {
  readonly type: "waiting";
  readonly endpoint: string;
  readonly ms: number;
  readonly because: ApiError;
}

export type ClientEvent = Exchange | Waiting;

export interface ClientOptions {
  /** `https://host/api/v1`, see `apiRoot`. */
  readonly baseUrl: string;
  /** Read anew for each request; undefined sends none. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly dialect: Dialect;
  readonly timeouts: Timeouts;
  readonly observe?: (event: ClientEvent) => void;
  readonly random?: () => number;
  readonly now?: () => number;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Sees the events of this call, before the client's own observer. */
  readonly observe?: (event: ClientEvent) => void;
}

type Result<Row extends Endpoint> =
  Row extends Endpoint<z.ZodType, infer Output, infer As>
    ? As extends "events"
      ? EventStream<z.output<Output>>
      : z.output<Output>
    : never;

/** Calls one row. Throws ApiError and nothing else. */
export type Call<Row extends Endpoint> = (
  input: z.input<Row["input"]>,
  options?: CallOptions,
) => Promise<Result<Row>>;

export type Api<T> = {
  readonly [Resource in keyof T]: {
    readonly [Name in keyof T[Resource]]: T[Resource][Name] extends Endpoint
      ? Call<T[Resource][Name]>
      : never;
  };
};

type Rows = Readonly<Record<string, Readonly<Record<string, Endpoint>>>>;

export const defaultTimeouts: Timeouts = { headersMs: 120_000, idleMs: 120_000 };

/** The API's root below a base URL: `/api/v1` is added where it is missing (spec, Versioning). */
export function apiRoot(baseUrl: string): string {
  const trimmed = baseUrl.trim().replace(/\/+$/, "");
  return trimmed.endsWith("/api/v1") ? trimmed : `${trimmed}/api/v1`;
}

/** The typed client: one function per row of the table, named as the table names them. */
export function createApi<T extends Rows>(rows: T, transport: Transport, options: ClientOptions): Api<T> {
  const resources = Object.entries(rows).map(([resource, calls]) => [
    resource,
    Object.fromEntries(
      Object.entries(calls).map(([name, row]) => [
        name,
        (input: unknown, callOptions?: CallOptions) =>
          call({ id: `${resource}.${name}`, row, transport, options, callOptions: callOptions ?? {} }, input),
      ]),
    ),
  ]);
  return Object.fromEntries(resources) as Api<T>;
}

interface Context {
  readonly id: string;
  readonly row: Endpoint;
  readonly transport: Transport;
  readonly options: ClientOptions;
  readonly callOptions: CallOptions;
}

async function call(context: Context, input: unknown): Promise<unknown> {
  const { id, row, options, callOptions } = context;
  const checked = checkInput(id, row.input, input) as Record<string, unknown>;
  const now = options.now ?? Date.now;
  for (let attempt = 0; ; attempt++) {
    try {
      return await exchange(context, checked, attempt);
    } catch (thrown) {
      const error = classifyThrown(id, thrown, []);
      const ms = resendDelayMs(row.resend, error, attempt, now(), options.random ?? Math.random);
      if (ms === undefined) throw error;
      report(context, { type: "waiting", endpoint: id, ms, because: error });
      await waitMs(ms, callOptions.signal, () => cancelled(id));
    }
  }
}

function report({ options, callOptions }: Context, event: ClientEvent): void {
  callOptions.observe?.(event);
  options.observe?.(event);
}

/** One try: send, and read the reply as the row says. Reports itself once, whatever came of it. */
async function exchange(context: Context, input: Record<string, unknown>, attempt: number): Promise<unknown> {
  const { id, row, options, callOptions } = context;
  const startMs = performance.now();
  const facts = { type: "exchange", endpoint: id, method: row.method, path: row.path, attempt } as const;
  const elapsed = () => ({ ...facts, ms: performance.now() - startMs });
  const key = row.auth === "public" ? undefined : await options.apiKey();
  const deadline = createDeadline(id, options.timeouts, callOptions.signal);
  let reply: Reply | undefined;
  let result: unknown;
  try {
    deadline.signal.throwIfAborted();
    deadline.expect("headersMs");
    const { baseUrl, dialect } = options;
    const request = { endpoint: id, row, baseUrl, dialect, apiKey: key, signal: deadline.signal };
    reply = await receive(context, toRequest(request, input), key ? [key] : []);
    deadline.expect("idleMs");
    result = await decode(context, reply, deadline);
  } catch (thrown) {
    deadline.end();
    const error = classifyThrown(id, abortReason(deadline.signal) ?? thrown, key ? [key] : []);
    report(context, { ...elapsed(), ...(reply ? reply.facts : { limits: {} }), error });
    throw error;
  }
  report(context, { ...elapsed(), ...reply.facts });
  return result;
}

interface Reply {
  readonly response: TransportResponse;
  readonly facts: Pick<Exchange, "status" | "requestId" | "limits" | "date">;
  /** What an error made from this reply needs to know. */
  readonly origin: Omit<FailedReply, "text">;
}

async function receive(
  { id, transport, options }: Context,
  request: TransportRequest,
  secrets: readonly string[],
): Promise<Reply> {
  const response = await transport.send(request);
  const { status, headers } = response;
  const nowMs = (options.now ?? Date.now)();
  const requestId = requestIdOf(headers);
  const date = headers.get("date");
  const facts = {
    status,
    limits: readLimits(headers, nowMs),
    ...(requestId ? { requestId } : {}),
    ...(date ? { date } : {}),
  };
  return { response, facts, origin: { endpoint: id, status, headers, nowMs, secrets } };
}

async function decode(context: Context, reply: Reply, deadline: Deadline): Promise<unknown> {
  const { row } = context;
  const { response, origin, facts } = reply;
  const events = row.decode === "events";
  const ok = response.status >= 200 && response.status <= 299;
  const source = { schema: row.output, deadline, reply: origin, requestId: facts.requestId, read: fromWire };
  if (ok && events && !isJson(response)) return createEventStream({ ...source, body: response.body });
  const text = await readText(response.body, ok ? Number.POSITIVE_INFINITY : rawLimit, deadline);
  if (!ok) throw failure(origin, text);
  const value = fromWire(parseReply(origin, text, facts.requestId));
  if (events) return wholeAsStream(row, source, value);
  deadline.end();
  return checkOutput(context.id, row.output, value, facts);
}

/** A service may answer a streaming request whole (wire.md section 5): its one reply becomes the stream's one event. */
function wholeAsStream(row: Endpoint, source: Omit<StreamSource<z.ZodType>, "body">, value: unknown) {
  const event = row.eventOf && !hasError(value) ? row.eventOf(value) : value;
  const text = `data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`;
  return createEventStream({ ...source, body: once(new TextEncoder().encode(text)) });
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function hasError(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && Boolean(value.error);
}

function failure(origin: Omit<FailedReply, "text">, text: string): ApiError {
  const { status, endpoint } = origin;
  if (status < 300 || status > 399) return classifyReply({ ...origin, text });
  return new ApiError("network", `the service answered with a redirect (HTTP ${status})`, {
    endpoint,
    status,
    reason: "redirect",
    mayHaveArrived: false,
  });
}

function parseReply(origin: Omit<FailedReply, "text">, text: string, requestId: string | undefined): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const { endpoint, status, secrets } = origin;
    const what = /^\s*</.test(text) ? "the answer is an HTML page, not JSON" : "the answer is not JSON";
    throw malformed(endpoint, what, { status, requestId, raw: redact(text, secrets) });
  }
}

/** Reads a body as text, at most `limit` bytes of it; the rest is let go. */
async function readText(body: AsyncIterable<Uint8Array>, limit: number, deadline: Deadline): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let read = 0;
  for await (const bytes of body) {
    deadline.expect("idleMs");
    text += decoder.decode(bytes, { stream: true });
    read += bytes.byteLength;
    if (read >= limit) break;
  }
  return text + decoder.decode();
}

function isJson(response: TransportResponse): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(response.headers.get("content-type") ?? "");
}
