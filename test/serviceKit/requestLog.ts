import type { IncomingMessage } from "node:http";
import type { RequestBody } from "../../src/sandbox/http/request/readBody.ts";

/** One request as it reached the sandbox. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query, `/api/v1/models?type=text`. */
  readonly path: string;
  /** Lower-case names; the credential is left out. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text, a form as JSON of its members with names and sizes of files; empty until it has arrived, and again once newer bodies have used up the limit. */
  readonly bodyText: string;
  /** Of the reply; undefined until its headers were sent. */
  readonly status: number | undefined;
  /** True if the caller disconnected before the end of the reply. */
  readonly aborted: boolean;
  /** Resolves at the end of the exchange, answered or aborted. */
  readonly ended: Promise<void>;
}

export interface RequestMatch {
  readonly method?: string;
  /** Ends the request's path, without its query. */
  readonly path?: string;
}

/** A log entry while its exchange runs. */
interface OpenEntry extends LoggedRequest {
  arrived(body: RequestBody): void;
  answered(status: number): void;
  end(aborted: boolean): void;
}

export interface RequestLog {
  readonly requests: readonly LoggedRequest[];
  /** Including dropped ones. */
  readonly count: number;
  /** The next matching request whose body has arrived. Rejects when the sandbox closes first. */
  next(match?: RequestMatch): Promise<LoggedRequest>;
  open(message: IncomingMessage): OpenEntry;
  close(): void;
}

interface Waiter {
  readonly match: RequestMatch;
  readonly resolve: (request: LoggedRequest) => void;
  readonly reject: (reason: Error) => void;
}

/** Benchmarks send many requests: these bounds keep the log small. */
const maxEntries = 500;
const maxBodyCharacters = 4_000_000;

export function createRequestLog(): RequestLog {
  const entries: Entry[] = [];
  let waiters: Waiter[] = [];
  let count = 0;
  const onArrived = (entry: Entry) => {
    trimBodies(entries);
    const due = waiters.filter(({ match }) => matches(entry, match));
    waiters = waiters.filter((waiter) => !due.includes(waiter));
    for (const { resolve } of due) resolve(entry);
  };
  return {
    requests: entries,
    get count() {
      return count;
    },
    next: (match = {}) => new Promise((resolve, reject) => waiters.push({ match, resolve, reject })),
    open(message) {
      const entry = new Entry(message, onArrived);
      entries.push(entry);
      count += 1;
      if (entries.length > maxEntries) entries.shift();
      return entry;
    },
    close() {
      for (const { reject } of waiters) reject(new Error("the sandbox was closed"));
      waiters = [];
    },
  };
}

class Entry implements OpenEntry {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ended: Promise<void>;
  bodyText = "";
  status: number | undefined;
  aborted = false;
  readonly #onArrived: (entry: Entry) => void;
  #finish: () => void = () => {};
  #isOver = false;

  constructor(message: IncomingMessage, onArrived: (entry: Entry) => void) {
    this.method = message.method ?? "";
    this.path = message.url ?? "";
    const named = Object.entries(message.headers).filter(([name]) => !secretHeaders.has(name));
    this.headers = Object.fromEntries(named.map(([name, value]) => [name, String(value)]));
    this.#onArrived = onArrived;
    this.ended = new Promise((resolve) => {
      this.#finish = resolve;
    });
  }

  arrived(body: RequestBody): void {
    this.bodyText = bodyText(body);
    this.#onArrived(this);
  }

  answered(status: number): void {
    this.status = status;
  }

  /** Its first word counts. */
  end(aborted: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.aborted = aborted;
    this.#finish();
  }
}

/** The body as text; of files only name, type and size. */
function bodyText(body: RequestBody): string {
  if (body.kind === "text") return body.text;
  if (body.kind === "refused") return "";
  return JSON.stringify(body.members, (key, value) => (key === "head" ? undefined : value));
}

const secretHeaders = new Set(["authorization", "sign-in-with-x", "x-sign-in-with-x", "cookie"]);

function matches(entry: LoggedRequest, match: RequestMatch): boolean {
  const path = entry.path.split("?")[0] ?? "";
  return (match.method ?? entry.method) === entry.method && path.endsWith(match.path ?? "");
}

/** Forgets the oldest bodies once all together are too long. */
function trimBodies(entries: readonly Entry[]): void {
  let room = maxBodyCharacters;
  for (const entry of [...entries].reverse()) {
    room -= entry.bodyText.length;
    if (room < 0) entry.bodyText = "";
  }
}
