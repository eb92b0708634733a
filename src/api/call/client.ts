import type * as z from "zod";
import { keyEndingOf } from "../../shared/keyEnding.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import type { BinaryReply } from "../binary.ts";
import type { Dialect } from "../dialect/dialect.ts";
import { dialectShown, dialectWanted } from "../dialect/dialectSigns.ts";
import { type Endpoint, routeOf } from "../endpoint.ts";
import { ApiError } from "../errors/errors.ts";
import { classifyThrown } from "../errors/networkError.ts";
import {
  type Charged,
  type ChargeFact,
  chargeFact,
  knownMembers,
  type SpendSource,
  type Uncharged,
} from "../money/charge.ts";
import { type SentPrompt, SentPrompts } from "../money/sentPrompts.ts";
import type { EventStream } from "../stream/eventStream.ts";
import type { LongTextSink } from "../stream/longText.ts";
import type { Transport } from "../transport/transport.ts";
import { checkInput } from "../validate.ts";
import { type AttemptResult, type Exchange, exchangeOnce, modelOfInput } from "./attempt.ts";
import { cancelled, type Timeouts } from "./limits/deadline.ts";
import { createRateLimiter, type RateLimiter } from "./limits/rateLimiter.ts";
import { type Admit, type AdmitAgain, type Admitted, sendAdmitted } from "./paidCall.ts";
import { type Called, CallRecorder } from "./record/callRecorder.ts";
import { resendDelayMs, waitMs } from "./retry.ts";

export type { Charged } from "../money/charge.ts";
export type { Exchange } from "./attempt.ts";

/** A request is delayed by `ms`: a retry, or a wait until a rate-limit window resets. */
interface Waiting {
  readonly type: "waiting";
  readonly endpoint: string;
  readonly ms: number;
  readonly because: ApiError;
}

/** A reply showed the dialect of the service. */
interface DialectLearnt {
  readonly type: "dialect";
  readonly dialect: Dialect;
}

export type ClientEvent = Exchange | Waiting | Charged | Uncharged | DialectLearnt | Called;

export interface ClientOptions {
  /** `https://host/api/v1`, see `apiRoot`. */
  readonly baseUrl: string;
  /** Called for each request; undefined sends no key. */
  readonly apiKey: () => Promise<string | undefined>;
  /**
   * A signed wallet sign-in, called for each request of a row that a wallet can pay (spec, Authentication 2; wire.md
   * section 10). It is sent instead of the key. Rejects with an ApiError if there is none.
   */
  readonly walletSignIn?: (asked: AskedSignIn) => Promise<string>;
  readonly dialect: Dialect;
  /** True if replies in the other dialect change the dialect of the client; default false. */
  readonly learnsDialect?: boolean;
  readonly timeouts: Timeouts;
  readonly observe?: (event: ClientEvent) => void;
  /** True if each call ends with an event of type `called`. Asked at each call; default false. */
  readonly isRecorded?: () => boolean;
  readonly admit?: Admit;
  readonly admitAgain?: AdmitAgain;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** One request that a wallet pays. */
export interface AskedSignIn {
  readonly endpoint: string;
  readonly signal: AbortSignal | undefined;
  /** The service's refusal of the sign-in before: it had expired, or its nonce was used. */
  readonly refused: ApiError | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Receives the events of this call before the client's own observer. */
  readonly observe?: (event: ClientEvent) => void;
  /**
   * Receives the elements of a list one by one, for rows that name the member. The list in the reply is then empty. The
   * first element follows after the body is complete; a failure may follow some of them.
   */
  readonly onItem?: (item: unknown) => void;
  /**
   * Receives the text of the reply in chunks, for rows that read text or name the member. The text in the reply is then
   * empty. A failure may follow some chunks. An exception of the sink ends the call without a retry.
   */
  readonly onText?: LongTextSink;
  /**
   * The JSON text of the input's `body`, for rows whose whole request is a body. It is sent in its place, because a value
   * loses how numbers, escapes and repeated members were written.
   */
  readonly bodyText?: string;
  /** The observer of this call gets an event of type `called`, also if the client records none. */
  readonly isRecorded?: true;
  /** Removes secrets of the caller from what a record of this call keeps. */
  readonly hide?: (text: string) => string;
  /** The reply of this call has a secret, so that a record keeps nothing of its body. */
  readonly hasSecretReply?: true;
  /** Never retried, whatever the error: the request must not arrive twice. */
  readonly once?: boolean;
  /** Identifies the caller in the charge events of this call. */
  readonly caller?: string;
  /** Added to the charge events of this call. */
  readonly source?: SpendSource;
}

type Result<Row extends Endpoint> =
  Row extends Endpoint<z.ZodType, infer Output, infer As>
    ? As extends "events"
      ? EventStream<z.output<Output>>
      : As extends "binary"
        ? BinaryReply
        : z.output<Output>
    : never;

/** Calls one row. Throws only ApiError. */
type Call<Row extends Endpoint> = (
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

/** The API root of a base URL. `/api/v1` is appended if it is missing (spec, Versioning). */
export function apiRoot(baseUrl: string): string {
  const trimmed = baseUrl.trim().replace(/\/+$/, "");
  return trimmed.endsWith("/api/v1") ? trimmed : `${trimmed}/api/v1`;
}

/** State that the calls of one client share. */
interface Shared {
  readonly transport: Transport;
  readonly options: ClientOptions;
  readonly rateLimiter: RateLimiter;
  readonly prompts: SentPrompts;
  readonly now: () => number;
  /** The configured dialect, or the one that replies showed. */
  dialect: Dialect;
  /** Rows for which the service uses `otherPath`. */
  readonly usesOtherPath: Set<string>;
  /** Retired routes with the error of the service. They are requested only once. */
  readonly retired: Map<string, ApiError>;
  /** Routes that the service does not have. */
  readonly missing: Set<string>;
}

interface CallContext {
  readonly id: string;
  readonly row: Endpoint;
  readonly shared: Shared;
  readonly callOptions: CallOptions;
  readonly hold?: string | undefined;
  readonly keyEnding?: string | undefined;
  readonly prompt?: SentPrompt | undefined;
  readonly recorder?: CallRecorder | undefined;
}

/** The typed client: one function per row of the table, with the same names. */
export function createApi<T extends Rows>(rows: T, transport: Transport, options: ClientOptions): Api<T> {
  const now = options.now ?? Date.now;
  const { dialect } = options;
  const shared: Shared = {
    transport,
    options,
    rateLimiter: createRateLimiter(now),
    prompts: new SentPrompts(now),
    now,
    dialect,
    usesOtherPath: new Set(),
    retired: new Map(),
    missing: new Set(),
  };
  const bind =
    (id: string, row: Endpoint) =>
    (input: unknown, callOptions: CallOptions = {}) =>
      call({ id, row, shared, callOptions }, input);
  const resources = Object.entries(rows).map(([resource, calls]) => [
    resource,
    Object.fromEntries(Object.entries(calls).map(([name, row]) => [name, bind(`${resource}.${name}`, row)])),
  ]);
  return Object.fromEntries(resources) as Api<T>;
}

async function call(context: CallContext, input: unknown): Promise<unknown> {
  const { id, row, shared } = context;
  const checked = checkInput(id, row.input, input) as Record<string, unknown>;
  const { signal, caller, source } = context.callOptions;
  if (row.auth === "wallet" && !shared.options.walletSignIn)
    throw refuse(id, "walletSignIn", "this call accepts only a wallet");
  const rules = shared.dialect.rules[routeOf(row)];
  if (rules) checkInput(id, rules, checked);
  const retired = shared.retired.get(routeOf(row)) ?? retiredIn(shared, id, row);
  if (retired) throw retired;
  // One key for all attempts: the service answers a retry with the same bytes from its cache, without a charge.
  if (row.resend === "keyed") checked.idempotencyKey ??= crypto.randomUUID();
  const { admit, admitAgain } = shared.options;
  const recorder = recorderOf(context, checked);
  const keyEnding = await payingKey(context);
  const paid = { endpoint: id, row, input: checked, signal, caller, source, keyEnding, admit, admitAgain };
  const sending = sendAdmitted(
    { ...paid, report: (event) => report(context, event) },
    (admitted, onFailure) =>
      sendUntilOver(
        { ...context, keyEnding, ...admitted, prompt: shared.prompts.read(checked), recorder },
        checked,
        onFailure,
      ),
  );
  return recorder ? recorded(sending, recorder) : sending;
}

/** The end of the key that will pay, if one pays. That it can't be read is the sentence of the attempt. */
async function payingKey({
  row,
  shared: { options },
  callOptions,
}: CallContext): Promise<string | undefined> {
  const isByWallet = row.wallet === true && options.walletSignIn !== undefined;
  if (row.price.by === "nothing" || isByWallet || callOptions.signal?.aborted) return undefined;
  const key = options.apiKey().catch(() => undefined);
  return keyEndingOf(
    await (callOptions.signal ? untilAborted(key, callOptions.signal) : key).catch(() => undefined),
  );
}

/** Undefined if nobody wants a record. */
function recorderOf(
  context: CallContext,
  input: Readonly<Record<string, unknown>>,
): CallRecorder | undefined {
  const { id: endpoint, row, shared, callOptions } = context;
  if (!callOptions.isRecorded && !shared.options.isRecorded?.()) return undefined;
  const { source, caller, hide, hasSecretReply } = callOptions;
  const model = modelOfInput(input);
  // The observer of a call follows it until its answer, and this comes later.
  const onReport = (called: Called) => {
    if (callOptions.isRecorded) callOptions.observe?.(called);
    shared.options.observe?.(called);
  };
  return new CallRecorder({
    endpoint,
    row,
    input,
    model,
    source,
    caller,
    hide,
    hasSecretReply,
    now: shared.now,
    report: onReport,
  });
}

async function recorded(sending: Promise<unknown>, recorder: CallRecorder): Promise<unknown> {
  try {
    const value = await sending;
    recorder.over();
    return value;
  } catch (error) {
    recorder.over(error);
    throw error;
  }
}

async function sendUntilOver(
  context: CallContext & Admitted,
  input: Record<string, unknown>,
  onFailure: (error: ApiError) => void,
): Promise<unknown> {
  const { callOptions } = context;
  let refused: ApiError | undefined;
  for (let attempt = 0; ; attempt++) {
    const hasWaited = await waitForLimits(context, modelOfInput(input));
    const walletSignIn = await signInFor(context, refused);
    // A wallet may wait for its owner.
    if (hasWaited || attempt > 0 || walletSignIn !== undefined) await context.admitAgain();
    const isSent = callOptions.signal?.aborted !== true;
    const outcome = await tryOnce({ ...context, walletSignIn }, input, attempt);
    const { error } = outcome.exchange;
    if (!error) return outcome.value;
    rememberRoute(context, error);
    if (isSent) onFailure(error);
    if (callOptions.once) throw error;
    const isStale = isStaleSignIn(error) && !refused;
    if (isStale) refused = error;
    else await pauseBeforeResend(context, error, attempt);
  }
}

/** Throws the error if the call must not be sent again. */
async function pauseBeforeResend(context: CallContext, error: ApiError, attempt: number): Promise<void> {
  const { now, options } = context.shared;
  const ms = resendDelayMs(resendOf(context), error, attempt, now(), options.random ?? Math.random);
  if (ms === undefined) throw error;
  await pause(context, ms, error);
}

/** A route that is retired or missing is not asked again. */
function rememberRoute({ row, shared }: CallContext, error: ApiError): void {
  if (!isFixed(row)) return;
  if (error.kind === "gone") shared.retired.set(routeOf(row), error);
  if (error.kind === "not-found") shared.missing.add(routeOf(row));
}

/** A route that services of this dialect have retired is not asked, unless this one lacks its successor. */
function retiredIn({ dialect, missing }: Shared, endpoint: string, row: Endpoint): ApiError | undefined {
  const successor = dialect.retired[routeOf(row)];
  if (successor === undefined || missing.has(`${row.method} ${successor}`)) return undefined;
  const details = { endpoint, successor: `/api/v1${successor}`, mayHaveArrived: false };
  return new ApiError("gone", `${row.path} is retired`, details);
}

/** A new sign-in for each request, because its nonce is valid once. Undefined if the key pays. */
async function signInFor(
  { id, row, shared, callOptions: { signal } }: CallContext,
  refused: ApiError | undefined,
): Promise<string | undefined> {
  const sign = row.wallet ? shared.options.walletSignIn : undefined;
  if (!sign) return undefined;
  if (signal?.aborted) throw cancelled(id);
  const signed = sign({ endpoint: id, signal, refused });
  return signal
    ? untilAborted(signed, signal).catch((error: unknown) => {
        throw signal.aborted ? cancelled(id) : error;
      })
    : signed;
}

/** The idempotency cache is keyed by user, and a service may not know a wallet as one (spec, Chain-RPC limits). */
function resendOf({ row, shared }: CallContext): Endpoint["resend"] {
  const isByWallet = row.wallet === true && shared.options.walletSignIn !== undefined;
  return isByWallet && row.resend === "keyed" ? "billed" : row.resend;
}

/** A refused sign-in is replaced once: it may have expired on its way. Nothing was processed. */
function isStaleSignIn({ details: { status, serviceCode } }: ApiError): boolean {
  return status === 401 && serviceCode === "X402_INVALID_SIGN_IN";
}

/** True if the path has no parameters. A 410 then means the route, not a model or a record. */
function isFixed({ method, path }: Endpoint): boolean {
  return method === "GET" && !path.includes("{");
}

/** Waits while the rate-limit window is exhausted. Throws if the failure budget is. Resolves to true if it waited. */
async function waitForLimits(context: CallContext, model: string | undefined): Promise<boolean> {
  for (let hasWaited = false; ; hasWaited = true) {
    const gate = context.shared.rateLimiter.admit(context.id, model);
    if (gate === undefined) return hasWaited;
    if (gate.ms === undefined) throw gate.because;
    await pause(context, gate.ms, gate.because);
  }
}

async function pause(context: CallContext, ms: number, because: ApiError): Promise<void> {
  report(context, { type: "waiting", endpoint: context.id, ms, because });
  context.recorder?.waits(ms, because);
  await waitMs(ms, context.callOptions.signal, () => cancelled(context.id));
}

async function tryOnce(
  context: CallContext & { readonly walletSignIn: string | undefined },
  input: Record<string, unknown>,
  attempt: number,
): Promise<AttemptResult> {
  const { id, row, shared, callOptions } = context;
  const { transport, options, now } = shared;
  const { baseUrl, apiKey, timeouts } = options;
  const send = async (path: string, isRenamed = false): Promise<AttemptResult> => {
    const { dialect } = shared;
    let sent: Exchange | undefined;
    const onStreamEnd = (lastPriced: unknown) => reportCharge(context, input, sent, lastPriced);
    const fixed = {
      walletSignIn: context.walletSignIn,
      bodyText: callOptions.bodyText,
      onItem: callOptions.onItem,
      onText: callOptions.onText,
      endpoint: id,
      row,
      transport,
      baseUrl,
      apiKey,
      timeouts,
      now,
      signal: callOptions.signal,
    };
    const onDialect = (seen: Dialect) => options.learnsDialect && learn(context, seen);
    const recorder = context.recorder?.attempt(dialect.id);
    const one = { ...fixed, path, input, attempt, dialect, onStreamEnd, onDialect, recorder };
    const outcome = await exchangeOnce(one).catch((thrown: unknown) => {
      recorder?.end();
      throw classifyThrown(id, thrown, []);
    });
    sent = outcome.exchange;
    shared.rateLimiter.record(sent);
    report(context, sent);
    if (!sent.error && row.decode !== "events") reportCharge(context, input, sent, outcome.value);
    if (!options.learnsDialect) return outcome;
    const wanted = dialectWanted(dialect, sent.error);
    const { headers, value } = outcome;
    const shown = { route: routeOf(row), headers, value, error: sent.error };
    learn(context, wanted ?? dialectShown(shown) ?? shared.dialect);
    // A 400 for member names means that nothing was processed: retry once in the other dialect. A sign-in is valid once.
    const isOneShot = context.walletSignIn !== undefined || callOptions.once === true;
    return wanted && !isRenamed && !isOneShot ? send(path, true) : outcome;
  };
  if (row.otherPath === undefined) return send(row.path);
  if (shared.usesOtherPath.has(id)) return send(row.otherPath);
  const outcome = await send(row.path);
  if (outcome.exchange.error?.kind !== "not-found") return outcome;
  const other = await send(row.otherPath);
  if (other.exchange.error?.kind !== "not-found") shared.usesOtherPath.add(id);
  return other;
}

function learn(context: CallContext, dialect: Dialect): void {
  if (context.shared.dialect === dialect) return;
  context.shared.dialect = dialect;
  report(context, { type: "dialect", dialect });
}

function report({ shared, callOptions }: CallContext, event: ClientEvent): void {
  callOptions.observe?.(event);
  shared.options.observe?.(event);
}

function reportCharge(
  context: CallContext,
  input: Readonly<Record<string, unknown>>,
  exchange: Exchange | undefined,
  reply: unknown,
): void {
  const fact = chargeFact(context.row.price, input, exchange?.charge, reply);
  if (!fact) return;
  const { model, requestId } = exchange ?? {};
  const { id, hold, callOptions, keyEnding, prompt, shared } = context;
  const { caller, source } = callOptions;
  if (prompt) shared.prompts.add(prompt);
  const about = knownMembers({ model, requestId, hold, caller, keyEnding });
  const charged = {
    type: "charged",
    endpoint: id,
    fact: withPrompt(fact, prompt),
    ...about,
    ...(source ? { source } : {}),
  } as const;
  report(context, charged);
  context.recorder?.charged(charged);
}

function withPrompt(fact: ChargeFact, prompt: SentPrompt | undefined): ChargeFact {
  if (fact.by !== "tokens" || !prompt) return fact;
  const { cacheKey, sentBefore } = prompt;
  return { ...fact, prompt: { cacheKey, sentBefore } };
}

function refuse(endpoint: string, field: string, message: string): ApiError {
  const issues = [{ field, message }];
  return new ApiError("invalid-request", `${field}: ${message}`, { endpoint, issues, mayHaveArrived: false });
}
