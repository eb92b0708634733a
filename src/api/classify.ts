import { type CodeMeaning, meaningOf, statusInWords } from "./errorCodes.ts";
import {
  ApiError,
  type ApiErrorDetails,
  type ErrorKind,
  type FieldIssue,
  type PaymentSource,
} from "./errors.ts";
import { resetAtMs, retryAtMs } from "./limits.ts";
import { redact } from "./redact.ts";

/** A reply that is not a success, as it came. */
export interface FailedReply {
  readonly endpoint: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly nowMs: number;
  /** Values that must not appear in the error, the key above all. */
  readonly secrets: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/** Turns any failed reply into an ApiError: by status first, then by its text. The only place that reads such text. */
export function classifyReply(reply: FailedReply): ApiError {
  const text = redact(reply.text, reply.secrets);
  const body = parseBody(text);
  const message = messageOf(body, text, reply.status);
  const { kind, source } = kindOf(reply.status, message, body);
  const retry = retryTime(kind, message, reply);
  const requestId = requestIdOf(reply.headers, reply.secrets) ?? stringMember(body, "request_id");
  const details: ApiErrorDetails = {
    endpoint: reply.endpoint,
    status: reply.status,
    issues: issuesOf(body),
    raw: text,
    mayHaveArrived: true,
    ...(requestId ? { requestId } : {}),
    ...(source ? { source } : {}),
    ...(retry === undefined ? {} : { retryAtMs: retry }),
    ...(kind === "rate-limited" ? { limit: limitNamedIn(message) } : {}),
    ...hintsOf(kind, body, reply),
  };
  return new ApiError(kind, message, details);
}

/**
 * Whether JSON that came under HTTP 200 is an error (wire.md section 5): in a member `error`, or bare, as a service
 * sends it that has nothing else to say.
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

/** An error event, classified like a reply of its own status; `text` is the event as it came. */
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

/** The body of an error and the error inside it: either may hold the code. */
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
  const named = numbers.find(isErrorStatus) ?? meaningIn(levels)?.status;
  if (named !== undefined) return named;
  const words = [...levels.flatMap(({ type, code, message }) => [message, type, code]), error];
  const found = words.flatMap((word) => (typeof word === "string" ? (statusInWords(word) ?? []) : []));
  return found[0] ?? 500;
}

function isErrorStatus(value: unknown): boolean {
  return typeof value === "number" && value >= 400 && value < 600;
}

/** What the code of an error means, wherever it stands; the type is less exact. */
function meaningIn(levels: readonly Members[]): CodeMeaning | undefined {
  const names = ["code", "status", "type", "error"].flatMap((name) => levels.map((level) => level[name]));
  return names.map(meaningOf).find((meaning) => meaning !== undefined);
}

function kindOf(status: number, message: string, body: unknown): { kind: ErrorKind; source?: PaymentSource } {
  // The failure budget asks to wait, under whatever status it likes (spec, Errors).
  if (status < 500 && /fail(ed|ure)[\s\S]*wait/i.test(message)) return { kind: "failure-budget" };
  const meaning = meaningIn(levelsOf(body));
  // A code that contradicts the status says something else than it does elsewhere.
  if (meaning?.kind && meaning.status === status) return { kind: meaning.kind };
  switch (status) {
    case 401:
      return { kind: /admin (api )?key/i.test(message) ? "admin-key-required" : "unauthorized" };
    case 402:
      return { kind: "payment-required", source: paymentSource(message, body) };
    case 403:
      return { kind: "forbidden" };
    case 404:
    case 405:
      return { kind: "not-found" };
    case 408:
      return { kind: "timed-out" };
    case 410:
      return { kind: "gone" };
    case 413:
      return { kind: "too-large" };
    case 422:
      return { kind: "refused-content" };
    case 429:
      return { kind: /fail(ed|ure)/i.test(message) ? "failure-budget" : "rate-limited" };
    default:
      return { kind: status >= 500 ? "unavailable" : "invalid-request" };
  }
}

/** When to come back. Only a refusal for its limits means their windows; a service in trouble says so itself, or not. */
function retryTime(kind: ErrorKind, message: string, { headers, nowMs }: FailedReply): number | undefined {
  if (kind === "unavailable") return resetAtMs(headers.get("retry-after"), nowMs);
  if (kind !== "failure-budget" && kind !== "rate-limited") return undefined;
  return retryAtMs(headers, nowMs) ?? waitNamedIn(message, nowMs);
}

/** What a reply offers as the way on. */
function hintsOf(kind: ErrorKind, body: unknown, { headers, secrets }: FailedReply): ApiErrorDetails {
  const link = redact(headers.get("link") ?? "", secrets);
  const successor = /<([^>]+)>\s*;[^,]*rel="?successor-version"?/i.exec(link)?.[1];
  const suggestedPrompt = stringMember(body, "suggested_prompt");
  const steps =
    isMembers(body) && isMembers(body.topUpInstructions) ? Object.values(body.topUpInstructions) : [];
  const instructions = steps.filter((step) => typeof step === "string");
  return {
    ...(kind === "gone" && successor ? { successor } : {}),
    ...(suggestedPrompt ? { suggestedPrompt } : {}),
    ...(instructions.length > 0 ? { instructions } : {}),
  };
}

function paymentSource(message: string, body: unknown): PaymentSource {
  const members = isMembers(body) ? body : {};
  if ("x402Version" in members || "topUpInstructions" in members || "supportedTokens" in members)
    return "wallet";
  const named = meaningIn(levelsOf(body))?.source;
  return named ?? (/(spend|consumption|key).{0,20}limit/i.test(message) ? "key-limit" : "account");
}

function waitNamedIn(message: string, nowMs: number): number | undefined {
  const seconds = /wait (\d+) seconds/i.exec(message)?.[1];
  return seconds === undefined ? undefined : nowMs + Number(seconds) * 1000;
}

function limitNamedIn(message: string): string {
  if (/in.?flight/i.test(message)) return "in flight";
  if (/credit/i.test(message)) return "credits";
  if (/overload|capacity/i.test(message)) return "capacity";
  return /token/i.test(message) ? "tokens" : "requests";
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function messageOf(body: unknown, text: string, status: number): string {
  const found = isMembers(body) ? sentence(body) : undefined;
  if (found) return found;
  if (typeof body === "string" && body !== "") return body;
  // A page from something on the way, not an answer of the service: its title says more than its markup.
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

function issuesOf(body: unknown): FieldIssue[] {
  if (!isMembers(body)) return [];
  const nested = isMembers(body.error) ? body.error : {};
  const lists = [body.issues, body.error, nested.issues].filter((value) => Array.isArray(value));
  const listed = lists.flat().flatMap(listedIssue);
  if (listed.length > 0) return listed;
  if (typeof nested.param === "string" && typeof nested.message === "string") {
    return [{ field: nested.param, message: nested.message }];
  }
  return isMembers(body.details) ? treeIssues(body.details, []) : [];
}

function listedIssue(issue: unknown): FieldIssue[] {
  if (!isMembers(issue) || typeof issue.message !== "string") return [];
  const path = Array.isArray(issue.path) ? issue.path.map(String).join(".") : "";
  return [{ field: path, message: issue.message }];
}

/** Reads `{_errors: [], field: {_errors: []}}`, at any depth up to 16. */
function treeIssues(node: Members, path: readonly string[]): FieldIssue[] {
  if (path.length > 16) return [];
  const own = Array.isArray(node._errors) ? node._errors : [];
  const here = own.map((message) => ({ field: path.join("."), message: String(message) }));
  const below = Object.entries(node).flatMap(([name, child]) =>
    name !== "_errors" && isMembers(child) ? treeIssues(child, [...path, name]) : [],
  );
  return [...here, ...below];
}

function stringMember(body: unknown, name: string): string | undefined {
  const value = isMembers(body) ? body[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
