import { isMembers, type Members } from "../../shared/members.ts";
import { needsLanguageModel } from "../../shared/names/sandboxCodes.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { retryAfterMs, retryAtMs } from "../call/limits/limits.ts";
import { ApiError, type ApiErrorDetails, type ErrorKind, type PaymentSource } from "./errors.ts";
import { issuesOf } from "./fieldIssues.ts";
import { redact } from "./redact.ts";
import {
  type ServiceCode,
  type ServiceError,
  serviceCodeOf,
  serviceErrors,
  statusInWords,
  statusNamed,
} from "./serviceErrors.ts";
import { readTopUp } from "./topUp.ts";

/** A reply with an error status. */
export interface FailedReply {
  readonly endpoint: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly nowMs: number;
  /** Values that must not appear in the error, such as the key. */
  readonly secrets: readonly string[];
  /** True if a wallet's sign-in was sent instead of a key; default false. */
  readonly isByWallet?: boolean;
  /** True if the route is for keys of type ADMIN alone; default false. */
  readonly isOfAdmin?: boolean;
}

/** Converts a failed reply to an ApiError: by status first, then by its text. No other module interprets such text. */
export function classifyReply(reply: FailedReply): ApiError {
  const text = redact(reply.text, reply.secrets);
  const body = parseJson(text);
  const message = messageOf(body, text, reply.status);
  const serviceCode = codeOf(reply, body, message);
  const { kind, source } = kindOf(reply, message, body, serviceCode && serviceErrors[serviceCode]);
  const retry = retryTime(kind, message, reply);
  const requestId = requestIdOf(reply.headers, reply.secrets) ?? stringMember(body, "request_id");
  const details: ApiErrorDetails = {
    endpoint: reply.endpoint,
    status: reply.status,
    issues: issuesOf(body),
    raw: text,
    mayHaveArrived: true,
    ...(requestId ? { requestId } : {}),
    ...(isKeyReused(reply.status, message) ? { isKeyReused: true } : {}),
    ...(serviceCode ? { serviceCode } : {}),
    ...(source ? { source } : {}),
    ...(retry === undefined ? {} : { retryAtMs: retry }),
    ...(kind === "rate-limited" ? { limit: limitNamedIn(message) } : {}),
    ...hintsOf(kind, body, reply),
    ...(source === "wallet" ? topUpOf(body, reply) : {}),
  };
  return new ApiError(kind, message, details);
}

/** A wallet has no key: what is refused with a 401 is its sign-in, unless the service names another reason. */
function codeOf(
  { status, isByWallet }: FailedReply,
  body: unknown,
  message: string,
): ServiceCode | undefined {
  const code = serviceCodeOf(status, namesAt(levelsOf(body)), message);
  const isSignIn = isByWallet === true && status === 401;
  return isSignIn && (code === undefined || code === "AUTHENTICATION_FAILED") ? "X402_INVALID_SIGN_IN" : code;
}

/**
 * True if JSON with HTTP 200 is an error (wire.md section 5): in a member `error`, or bare, as some services send it.
 */
export function isErrorEvent(event: unknown): event is Members {
  if (!isMembers(event)) return false;
  if (event.error) return true;
  if (Array.isArray(event.choices) || typeof event.message !== "string") return false;
  return event.object === "error" || event.type === "error" || hasCode(event);
}

function hasCode({ code, status }: Members): boolean {
  return (typeof code === "string" && code !== "") || isErrorStatus(code) || isErrorStatus(status);
}

/** An error event, classified like a reply with its status. `text` is the raw event. */
export function classifyStreamError(
  event: Members,
  text: string,
  reply: Omit<FailedReply, "status" | "text">,
): ApiError {
  const levels = levelsOf(event);
  const retryAfter = levels.map(({ retry_after }) => retry_after).find((value) => typeof value === "number");
  const headers = new Headers(reply.headers);
  if (retryAfter !== undefined) headers.set("retry-after", String(retryAfter));
  return classifyReply({ ...reply, headers, status: streamStatus(levels, event.error), text });
}

/** The body of an error and the nested error. Either may contain the code. */
function levelsOf(body: unknown): Members[] {
  if (!isMembers(body)) return [];
  return isMembers(body.error) ? [body.error, body] : [body];
}

/** Support id of a reply (wire.md section 8). */
export function requestIdOf(headers: Headers, secrets: readonly string[]): string | undefined {
  const id = headers.get("x-request-id") ?? headers.get("cf-ray");
  return id === null ? undefined : redact(id, secrets);
}

function streamStatus(levels: readonly Members[], error: unknown): number {
  const numbers = levels.flatMap(({ code, status }) => [Number(code), Number(status)]);
  const named = numbers.find(isErrorStatus) ?? statusNamedIn(levels);
  if (named !== undefined) return named;
  const words = [...levels.flatMap(({ type, code, message }) => [message, type, code]), error];
  const found = words.flatMap((word) => (typeof word === "string" ? (statusInWords(word) ?? []) : []));
  return found[0] ?? 500;
}

function isErrorStatus(value: unknown): boolean {
  return typeof value === "number" && value >= 400 && value < 600;
}

/** The status of an error code, at any level. The type is less exact. */
function statusNamedIn(levels: readonly Members[]): number | undefined {
  return namesAt(levels)
    .map(statusNamed)
    .find((status) => status !== undefined);
}

interface Kind {
  readonly kind: ErrorKind;
  readonly source?: PaymentSource;
}

function kindOf(reply: FailedReply, message: string, body: unknown, known: ServiceError | undefined): Kind {
  const { status } = reply;
  // The failure budget refuses requests with varying statuses (spec, Errors).
  const isFailure = /fail(ed|ure)/i.test(message);
  if (isFailure && (status === 429 || (status < 500 && /wait/i.test(message)))) {
    return { kind: "failure-budget" };
  }
  if (needsAdminKey(reply, message, body, known)) return { kind: "admin-key-required" };
  if (isMembers(body) && body.code === needsLanguageModel) return { kind: "needs-language-model" };
  if (isKeyReused(status, message)) return { kind: "invalid-request" };
  const kind = known?.kind ?? kindOfStatus(status);
  if (kind !== "payment-required") return { kind };
  return { kind, source: paymentSource(reply, message, body, known) };
}

/** The service says so with a 401 (wire.md section 6), others with a 403. The page of a gateway has other reasons. */
function needsAdminKey(
  { status, isOfAdmin }: FailedReply,
  message: string,
  body: unknown,
  known: ServiceError | undefined,
): boolean {
  if (status === 401) return /admin (api )?key/i.test(message);
  // A documented text has another reason.
  return status === 403 && isOfAdmin === true && isMembers(body) && known?.said === undefined;
}

/** Services answer it with different statuses (spec, Errors: 400; others 409 or 422). */
function isKeyReused(status: number, message: string): boolean {
  if (status !== 400 && status !== 409 && status !== 422) return false;
  return (
    /idempotency/i.test(message) && /\b(?:re-?used?|used|another|different|mismatch\w*)\b/i.test(message)
  );
}

function kindOfStatus(status: number): ErrorKind {
  const kinds: Readonly<Record<number, ErrorKind>> = {
    401: "unauthorized",
    402: "payment-required",
    403: "forbidden",
    404: "not-found",
    405: "not-found",
    408: "timed-out",
    410: "gone",
    413: "too-large",
    422: "refused-content",
    429: "rate-limited",
  };
  return kinds[status] ?? (status >= 500 ? "unavailable" : "invalid-request");
}

/** Members of a body that may name the error code (wire.md section 8). */
function namesAt(levels: readonly Members[]): unknown[] {
  return ["code", "status", "type", "error"].flatMap((name) => levels.map((level) => level[name]));
}

/** Time of the next attempt. Only a rate-limit refusal refers to the windows in the headers. */
function retryTime(kind: ErrorKind, message: string, { headers, nowMs }: FailedReply): number | undefined {
  if (kind !== "unavailable" && kind !== "failure-budget" && kind !== "rate-limited") return undefined;
  const named = retryAfterMs(headers, nowMs) ?? waitNamedIn(message, nowMs);
  return kind === "unavailable" ? named : (named ?? retryAtMs(headers, nowMs));
}

/** Details of a reply that help the user to proceed. */
function hintsOf(kind: ErrorKind, body: unknown, { headers, secrets }: FailedReply): ApiErrorDetails {
  const link = redact(headers.get("link") ?? "", secrets);
  const successor = /<([^>]+)>\s*;[^,]*rel="?successor-version"?/i.exec(link)?.[1];
  const suggestedPrompt = stringMember(body, "suggested_prompt");
  return {
    ...(kind === "gone" && successor ? { successor } : {}),
    ...(suggestedPrompt ? { suggestedPrompt } : {}),
  };
}

/** The terms are in the body, or in a header as base64 (x402, version 2). */
function topUpOf(body: unknown, { headers }: FailedReply): ApiErrorDetails {
  const topUp = readTopUp(body, headers.get("payment-required") ?? "");
  return topUp ? { topUp } : {};
}

function paymentSource(
  { secrets, isByWallet }: FailedReply,
  message: string,
  body: unknown,
  known: ServiceError | undefined,
): PaymentSource {
  if (secrets.length === 0) return "credential";
  if (isByWallet) return "wallet";
  const members = isMembers(body) ? body : {};
  if ("x402Version" in members || "topUpInstructions" in members || "supportedTokens" in members)
    return "wallet";
  return known?.source ?? (/(spend|consumption|key).{0,20}limit/i.test(message) ? "key-limit" : "account");
}

const waitUnits: Readonly<Record<string, number>> = { m: 60_000, s: 1000 };

/** "wait 30 seconds", "Please wait 30s", "try again in 2 minutes". */
function waitNamedIn(message: string, nowMs: number): number | undefined {
  const [, amount, unit = ""] =
    /\b(?:wait|again in|again after)\s+(?:for\s+|about\s+)?(\d{1,6}(?:\.\d{1,3})?)\s*(m|s)(?:(?:in|ec)(?:ute|ond)?s?)?\b/i.exec(
      message,
    ) ?? [];
  return amount === undefined
    ? undefined
    : nowMs + Number(amount) * (waitUnits[unit.toLowerCase()] ?? Number.NaN);
}

function limitNamedIn(message: string): string {
  if (/in.?flight/i.test(message)) return "in flight";
  if (/credit/i.test(message)) return "credits";
  if (/overload|capacity/i.test(message)) return "capacity";
  return /token/i.test(message) ? "tokens" : "requests";
}

/** Limit for the service's message, in characters. */
const messageLimit = 2000;

function messageOf(body: unknown, text: string, status: number): string {
  const found = isMembers(body) ? sentence(body) : body;
  if (typeof found === "string" && found !== "") return found.slice(0, messageLimit);
  // An HTML page comes from a proxy or gateway. Its title is more useful than its markup.
  const title = /<title[^<>]{0,200}>([^<]{1,200})<\/title>/i.exec(text)?.[1]?.trim();
  if (/^\s*<(!doctype|html|head|body)/i.test(text)) return title ? `HTML page "${title}"` : "an HTML page";
  const plain = body === undefined ? text.trim().split("\n")[0]?.slice(0, 300) : "";
  return plain || `HTTP ${status}`;
}

function sentence(body: Members): string | undefined {
  const { error } = body;
  const nested = isMembers(error) ? error : undefined;
  const candidates = [
    body.customMessage,
    nested?.customMessage,
    nested?.message,
    error,
    body.reason,
    body.message,
    typeof body.details === "string" ? body.details : undefined,
  ];
  const direct = candidates.find((value) => typeof value === "string" && value !== "");
  if (typeof direct === "string") return direct;
  const [first] = issuesOf(body);
  return first && (first.field ? `${first.field}: ${first.message}` : first.message);
}

function stringMember(body: unknown, name: string): string | undefined {
  const value = isMembers(body) ? body[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
