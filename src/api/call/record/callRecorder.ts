import { isMembers, type Members } from "../../../shared/members.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import type { DialectId } from "../../dialect/dialect.ts";
import type { Endpoint } from "../../endpoint.ts";
import { type ApiError, type ErrorKind, isApiError } from "../../errors/errors.ts";
import type { Charged, SpendSource } from "../../money/charge.ts";
import type { TransportBody } from "../../transport/transport.ts";
import { isUpload } from "../body/upload.ts";
import {
  maxRecordedText,
  recordedHeaders,
  recordedText,
  type Secrets,
  withoutSecrets,
} from "./recordedText.ts";

/** A body as a record keeps it. */
export interface BodyRecord {
  /** Media type; empty if none is stated. */
  readonly type: string;
  /** Bytes that were sent or received. */
  readonly bytes: number;
  /** Undefined for files, and for replies that are secrets. */
  readonly text?: string;
  /** True if `text` is not all of the body. */
  readonly isChanged: boolean;
}

/** The failure of a request. The message has no secrets. */
export interface FailureRecord {
  readonly kind: ErrorKind;
  readonly message: string;
}

/** One HTTP request of a call. Times are Unix milliseconds. */
export interface AttemptRecord {
  readonly method: string;
  /** Path and query below the API root. */
  readonly path: string;
  readonly startMs: number;
  /** The response's headers arrived. */
  readonly headersMs?: number;
  readonly firstByteMs?: number;
  /** The first event of a stream with text, reasoning or a tool call arrived. */
  readonly firstTokenMs?: number;
  readonly endMs: number;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly request?: BodyRecord;
  readonly status?: number;
  readonly requestId?: string;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly response?: BodyRecord;
  readonly error?: FailureRecord;
  /** The wait after this attempt, in milliseconds, and its reason. */
  readonly waitMs?: number;
  readonly waitReason?: ErrorKind;
}

/** A call is over, and its answer was read or dropped. All about it, without secrets. */
export interface Called {
  readonly type: "called";
  /** Unique among all calls of all windows. */
  readonly id: string;
  readonly endpoint: string;
  readonly dialect: DialectId;
  readonly model?: string;
  readonly source?: SpendSource;
  readonly caller?: string;
  /** When the call was made, and when it was over. Unix milliseconds. */
  readonly queuedMs: number;
  readonly endMs: number;
  /** Members of the input that are in path, query and headers; not the Idempotency-Key. */
  readonly params: Members;
  readonly attempts: readonly AttemptRecord[];
  readonly charge?: Charged;
  /** The reason that the call failed, or was not sent. */
  readonly error?: FailureRecord;
}

interface CallFacts {
  readonly endpoint: string;
  readonly row: Endpoint;
  readonly input: Members;
  readonly model: string | undefined;
  readonly source: SpendSource | undefined;
  readonly caller: string | undefined;
  readonly hide: Secrets["hide"];
  readonly hasSecretReply: true | undefined;
  readonly now: () => number;
  readonly report: (called: Called) => void;
}

/**
 * Collects what a call sends and receives. The record is made after the call is over, in a later turn of the event loop,
 * so that no answer waits for it.
 */
export class CallRecorder {
  readonly #facts: CallFacts;
  readonly #queuedMs: number;
  readonly #attempts: AttemptRecorder[] = [];
  #dialect: DialectId = "standard";
  #charge: Charged | undefined;
  #error: FailureRecord | undefined;
  #isOver = false;
  #isReported = false;

  constructor(facts: CallFacts) {
    this.#facts = facts;
    this.#queuedMs = facts.now();
  }

  attempt(dialect: DialectId): AttemptRecorder {
    this.#dialect = dialect;
    const attempt = new AttemptRecorder(this.#facts, () => this.#reportIfOver());
    this.#attempts.push(attempt);
    return attempt;
  }

  waits(ms: number, because: ApiError): void {
    this.#attempts.at(-1)?.waits(ms, because);
  }

  /** Without the end of the key: a record has no part of it. */
  charged({ keyEnding: _, ...charge }: Charged): void {
    this.#charge = charge;
  }

  /** Nothing more is sent. A stream may still be read. */
  over(error?: unknown): void {
    this.#isOver = true;
    this.#error = error === undefined ? undefined : failureOf(error);
    this.#reportIfOver();
  }

  #reportIfOver(): void {
    if (!this.#isOver || this.#isReported || !this.#attempts.every(({ isEnded }) => isEnded)) return;
    this.#isReported = true;
    const endMs = this.#facts.now();
    setImmediate(() => this.#report(endMs));
  }

  #report(endMs: number): void {
    const { endpoint, row, input, model, source, caller, hide, report } = this.#facts;
    const attempts = this.#attempts.map((attempt) => attempt.record());
    const error = this.#error ? cleanFailure(this.#error, { values: [], hide }) : attempts.at(-1)?.error;
    report({
      type: "called",
      id: crypto.randomUUID(),
      endpoint,
      dialect: this.#dialect,
      ...(model === undefined ? {} : { model }),
      ...(source ? { source } : {}),
      ...(caller === undefined ? {} : { caller }),
      queuedMs: this.#queuedMs,
      endMs,
      params: paramsOf(row, input),
      attempts,
      ...(this.#charge ? { charge: this.#charge } : {}),
      ...(error ? { error } : {}),
    });
  }
}

/** The request as it is sent, with its credentials. */
interface SentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: TransportBody;
}

interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
}

/** Collects what one request sends and receives. */
export class AttemptRecorder {
  readonly #facts: CallFacts;
  readonly #onEnd: () => void;
  readonly #startMs: number;
  readonly #pieces: Uint8Array[] = [];
  #kept = 0;
  #received = 0;
  #isText = false;
  #sent: (SentRequest & { readonly root: string; readonly secrets: readonly string[] }) | undefined;
  #response: (ReceivedResponse & { readonly requestId: string | undefined }) | undefined;
  #headersMs: number | undefined;
  #firstByteMs: number | undefined;
  #firstTokenMs: number | undefined;
  #endMs: number | undefined;
  #error: FailureRecord | undefined;
  #wait: { readonly ms: number; readonly because: ErrorKind } | undefined;

  constructor(facts: CallFacts, onEnd: () => void) {
    this.#facts = facts;
    this.#onEnd = onEnd;
    this.#startMs = facts.now();
  }

  get isEnded(): boolean {
    return this.#endMs !== undefined;
  }

  sends(request: SentRequest, root: string, secrets: readonly string[]): void {
    this.#sent = { ...request, root, secrets };
  }

  answers(response: ReceivedResponse, requestId: string | undefined): void {
    this.#response = { status: response.status, headers: response.headers, requestId };
    this.#headersMs = this.#facts.now();
    this.#isText = textual.test(typeOf(response.headers.get("content-type")));
  }

  /** A chunk of the body. Its buffer may be used again. */
  piece(bytes: Uint8Array): void {
    this.#firstByteMs ??= this.#facts.now();
    this.#received += bytes.byteLength;
    if (!this.#isText || this.#kept >= maxKeptBytes) return;
    const kept = bytes.slice(0, maxKeptBytes - this.#kept);
    this.#kept += kept.byteLength;
    this.#pieces.push(kept);
  }

  /** An event of a stream. */
  event(event: unknown): void {
    if (this.#firstTokenMs === undefined && hasToken(event)) this.#firstTokenMs = this.#facts.now();
  }

  waits(ms: number, because: ApiError): void {
    this.#wait = { ms, because: because.kind };
  }

  fails(error: unknown): void {
    this.#error ??= failureOf(error);
  }

  /** Nothing more arrives. */
  end(): void {
    if (this.#endMs !== undefined) return;
    this.#endMs = this.#facts.now();
    this.#onEnd();
  }

  record(): AttemptRecord {
    const { row, hide } = this.#facts;
    const secrets = { values: this.#sent?.secrets ?? [], hide };
    const error = this.#error && cleanFailure(this.#error, secrets);
    const known = {
      headersMs: this.#headersMs,
      firstByteMs: this.#firstByteMs,
      firstTokenMs: this.#firstTokenMs,
      request: this.#request(secrets),
      status: this.#response?.status,
      requestId: this.#response?.requestId,
      responseHeaders: this.#response && recordedHeaders(this.#response.headers, secrets),
      response: this.#reply(secrets),
      error,
      waitMs: this.#wait?.ms,
      waitReason: this.#wait?.because,
    };
    const { url, root, headers = {} } = this.#sent ?? {};
    return {
      method: row.method,
      path: withoutSecrets(url && root ? url.slice(root.length) : row.path, secrets),
      startMs: this.#startMs,
      endMs: this.#endMs ?? this.#startMs,
      requestHeaders: recordedHeaders(Object.entries(headers), secrets),
      ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
    };
  }

  #request(secrets: Secrets): BodyRecord | undefined {
    const { body, headers } = this.#sent ?? {};
    if (body === undefined) return undefined;
    const type = typeOf(headers?.["content-type"]);
    if (typeof body === "string")
      return { type, bytes: Buffer.byteLength(body), ...recordedText(body, secrets) };
    const form = JSON.stringify(this.#facts.input, (_, value: unknown) => nameOfUpload(value));
    return { type, bytes: body.length, text: recordedText(form, secrets).text, isChanged: true };
  }

  #reply(secrets: Secrets): BodyRecord | undefined {
    if (!this.#response) return undefined;
    const type = typeOf(this.#response.headers.get("content-type"));
    const bytes = this.#received;
    const { row, hasSecretReply } = this.#facts;
    if (!this.#isText || row.hasSecretReply || hasSecretReply) return { type, bytes, isChanged: bytes > 0 };
    const { text, isChanged } = recordedText(new TextDecoder().decode(Buffer.concat(this.#pieces)), secrets);
    return { type, bytes, text, isChanged: isChanged || this.#kept < bytes };
  }
}

const maxMessage = 2_000;
/** Bytes of a reply that are kept until its record is made: data of files in it is removed then. */
const maxKeptBytes = maxRecordedText;
const textual = /^$|json|text|xml|event-stream|urlencoded|javascript/;

function typeOf(header: string | null | undefined): string {
  return (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function nameOfUpload(value: unknown): unknown {
  return isUpload(value) ? `[${value.name}, ${value.type || "file"}, ${value.size} bytes]` : value;
}

/** True for an event with a part of the answer: the first one of many services has the role alone. */
function hasToken(event: unknown): boolean {
  const [choice]: unknown[] = isMembers(event) && Array.isArray(event.choices) ? event.choices : [];
  if (!isMembers(choice) || !isMembers(choice.delta)) return false;
  const { content, reasoning_content: reasoning, tool_calls: calls } = choice.delta;
  return [content, reasoning, calls].some((part) => part !== undefined && part !== null && part !== "");
}

/** Members of an input that are not in the body, for a row whose input is validated. */
function paramsOf({ path, encode, headers = {} }: Endpoint, input: Members): Members {
  const isParam = (name: string) =>
    path.includes(`{${name}}`) || encode === "query" || Object.hasOwn(headers, name);
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => isParam(name) && name !== "idempotencyKey"),
  );
}

function cleanFailure({ kind, message }: FailureRecord, secrets: Secrets): FailureRecord {
  return { kind, message: withoutSecrets(message, secrets).slice(0, maxMessage) };
}

function failureOf(error: unknown): FailureRecord {
  if (isApiError(error)) return { kind: error.kind, message: error.message };
  return { kind: "network", message: messageOf(error) };
}
