import { untilAborted } from "../../shared/untilAborted.ts";
import { readSafety, type SafetyHeaders } from "../binary.ts";
import type { Dialect } from "../dialect/dialect.ts";
import type { Endpoint } from "../endpoint.ts";
import { requestIdOf } from "../errors/classify.ts";
import type { ApiError } from "../errors/errors.ts";
import { classifyThrown, withTrace } from "../errors/networkError.ts";
import { type ChargeHeaders, readCharge } from "../money/charge.ts";
import { abortReason } from "../stream/eventStream.ts";
import type { LongTextSink } from "../stream/longText.ts";
import { SendTrace } from "../transport/connectionTrace.ts";
import type { Transport, TransportRequest, TransportResponse } from "../transport/transport.ts";
import { type DecodedReply, decode } from "./body/decode.ts";
import { toRequest } from "./body/request.ts";
import { createDeadline, type Timeouts } from "./limits/deadline.ts";
import { type LimitHeaders, readLimits } from "./limits/limits.ts";
import type { AttemptRecorder } from "./record/callRecorder.ts";

/** One HTTP request and its result, without bodies. Observers feed the log, the limits and the ledger. */
export interface Exchange {
  readonly type: "exchange";
  readonly endpoint: string;
  readonly method: string;
  /** The path of the row as a template. */
  readonly path: string;
  /** The requested model, if the row takes one. */
  readonly model?: string;
  /** 0 for the first attempt. */
  readonly attempt: number;
  /** Milliseconds until the headers, or until the failure. */
  readonly ms: number;
  readonly status?: number;
  readonly requestId?: string;
  readonly limits: LimitHeaders;
  readonly charge?: ChargeHeaders;
  /** The service's findings about the content of a picture, if there are any. */
  readonly safety?: SafetyHeaders;
  /** The Date header: the time of the service. */
  readonly date?: string;
  readonly error?: ApiError;
}

/** Everything that one attempt of a call needs. */
export interface Try {
  readonly endpoint: string;
  readonly row: Endpoint;
  /** The row's path or its `otherPath`. */
  readonly path: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly attempt: number;
  readonly transport: Transport;
  readonly baseUrl: string;
  readonly apiKey: () => Promise<string | undefined>;
  readonly walletSignIn: string | undefined;
  /** The call option of the same name. */
  readonly bodyText: string | undefined;
  readonly dialect: Dialect;
  readonly timeouts: Timeouts;
  readonly signal: AbortSignal | undefined;
  readonly now: () => number;
  readonly onStreamEnd: (lastPriced: unknown) => void;
  readonly onDialect: (dialect: Dialect) => void;
  /** The call option of the same name. */
  readonly onItem: ((item: unknown) => void) | undefined;
  readonly onText: LongTextSink | undefined;
  /** Undefined if nobody wants a record of the call. */
  readonly recorder: AttemptRecorder | undefined;
}

export interface AttemptResult {
  readonly exchange: Exchange;
  /** The parsed reply; undefined if `exchange.error` is set. */
  readonly value?: unknown;
  /** Undefined if no response arrived. */
  readonly headers?: Headers;
}

/**
 * Sends one request and parses the reply by its row. Failures are returned; it throws only if the key can't be read.
 */
export async function exchangeOnce(one: Try): Promise<AttemptResult> {
  const { endpoint, row } = one;
  const startMs = performance.now();
  const key = await keyFor(one);
  const secrets = [key, one.walletSignIn].filter((secret) => secret !== undefined);
  const deadline = createDeadline(endpoint, one.timeouts, one.signal);
  const trace = new SendTrace();
  let reply: DecodedReply | undefined;
  const facts = (): Exchange => ({ ...factsOf(one, reply), ms: performance.now() - startMs });
  try {
    deadline.signal.throwIfAborted();
    deadline.expect("headersMs");
    const request = {
      ...(await toRequest({ ...one, apiKey: key, signal: deadline.signal }, one.input)),
      trace,
    };
    one.recorder?.sends(request, one.baseUrl, secrets);
    reply = await receive(one, request, secrets);
    deadline.expect("idleMs");
    const value = await decode(row, reply, deadline);
    return { value, exchange: facts(), headers: reply.response.headers };
  } catch (thrown) {
    deadline.end();
    const cause = abortReason(deadline.signal) ?? thrown;
    const hasAnswered = reply !== undefined;
    const error = withTrace(classifyThrown(endpoint, cause, secrets, hasAnswered), trace, hasAnswered);
    one.recorder?.fails(error);
    one.recorder?.end();
    const failed = { exchange: { ...facts(), error } };
    return reply ? { ...failed, headers: reply.response.headers } : failed;
  }
}

/** Public rows need no key, but return more with one (wire.md section 11). */
async function keyFor({ row, apiKey, walletSignIn }: Try): Promise<string | undefined> {
  if (walletSignIn !== undefined) return undefined;
  return row.auth === "public" ? apiKey().catch(() => undefined) : apiKey();
}

async function receive(
  one: Try,
  request: TransportRequest,
  secrets: readonly string[],
): Promise<DecodedReply> {
  // A layer below may ignore the signal, as undici does until a request has a connection.
  const response = await untilAborted(one.transport.send(request), request.signal, drop);
  const { status, headers } = response;
  const isByWallet = one.walletSignIn !== undefined;
  const isOfAdmin = one.row.auth === "admin";
  const origin = {
    endpoint: one.endpoint,
    status,
    headers,
    nowMs: one.now(),
    secrets,
    isByWallet,
    isOfAdmin,
  };
  const requestId = requestIdOf(headers, secrets);
  one.recorder?.answers(response, requestId);
  return {
    response,
    requestId,
    origin,
    onStreamEnd: one.onStreamEnd,
    onDialect: one.onDialect,
    onItem: one.onItem,
    onText: one.onText,
    recorder: one.recorder,
  };
}

async function drop({ body }: TransportResponse): Promise<void> {
  try {
    // Leaving the loop closes the connection.
    for await (const _ of body) break;
  } catch {
    // It was aborted.
  }
}

/** The model of a call, under either of its names (spec E5, E13). */
export function modelOfInput({ model, modelId }: Readonly<Record<string, unknown>>): string | undefined {
  return [model, modelId].find((name) => typeof name === "string");
}

function factsOf(
  { endpoint, row, attempt, input, dialect }: Try,
  reply: DecodedReply | undefined,
): Omit<Exchange, "ms"> {
  const model = modelOfInput(input);
  const { method, path } = row;
  const sent = { type: "exchange", endpoint, method, path, attempt, ...(model ? { model } : {}) } as const;
  if (!reply) return { ...sent, limits: {} };
  const { headers, status } = reply.response;
  const date = headers.get("date");
  const safety = readSafety(headers);
  return {
    ...sent,
    status,
    limits: readLimits(headers, reply.origin.nowMs),
    charge: readCharge(headers, dialect),
    ...(safety.blurred || safety.contentViolation ? { safety } : {}),
    ...(reply.requestId ? { requestId: reply.requestId } : {}),
    ...(date ? { date } : {}),
  };
}
