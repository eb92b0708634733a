import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { optionalMember } from "../../shared/members.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import { isPrivateHost, isThisMachine } from "../../shared/web/privateHost.ts";
import { readBytes } from "../call/body/readText.ts";
import { proxyClosedCode } from "../errors/errors.ts";
import { classifyThrown } from "../errors/networkError.ts";
import { SendTrace, traced } from "./connectionTrace.ts";
import type { TransportRequest, TransportResponse } from "./transport.ts";

/** Why a URL was not fetched. Those of the rules come before any byte is sent to that host. */
export type FetchFault =
  | "scheme"
  | "credentials"
  | "private"
  | "blocked"
  | "other-origin"
  | "redirect-target"
  | "redirects"
  | "too-large"
  | "late"
  | "unreachable";

/** `message` is a clause about the host, for the sentence of the caller. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  readonly fault: FetchFault;
  /** The URL at which it failed. */
  readonly url: URL;
  /** The code of Node.js or TLS, `ENOTFOUND`. */
  readonly code: string | undefined;

  constructor(fault: FetchFault, url: URL, message: string, code?: string) {
    super(message);
    this.fault = fault;
    this.url = url;
    this.code = code;
  }
}

/** Decides whether a URL may be requested. It is called for the first URL, `start`, and for each redirect. */
export type HostRule = (url: URL, start: URL) => Verdict | Promise<Verdict>;
export type Verdict = "allowed" | "private" | "blocked" | "other-origin";

/** There is no way to send a key or a cookie: a redirect would take it to another host. */
export interface FetchBounds {
  readonly mayAsk: HostRule;
  readonly accept: string;
  readonly userAgent?: string;
  /** Of the body, after decompression. */
  readonly maxBytes: number;
  readonly maxRedirects: number;
  /** For all of it: name lookups, redirects, body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Reads the first bytes of an answer that reports a failure, for its words. Otherwise they are dropped. */
  readonly readsFailures?: boolean;
  /** Sends one request, and follows no redirect; by default `fetch`. */
  readonly send?: (request: TransportRequest) => Promise<TransportResponse>;
}

export interface Fetched {
  /** After redirects. */
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

const maxFailureBytes = 64 * 1024;

/**
 * Gets an http(s) URL from a host that is not trusted, or whose URL is not: a model, a page or another host chose it. Each
 * redirect is checked like the first URL. Throws a FetchError, or the reason of the caller's signal.
 */
export async function boundedFetch(address: string | URL, bounds: FetchBounds): Promise<Fetched> {
  const timeout = AbortSignal.timeout(bounds.timeoutMs);
  const signal = bounds.signal ? AbortSignal.any([bounds.signal, timeout]) : timeout;
  const exchange = new Exchange(new URL(address), bounds, signal);
  try {
    const { status, headers, body } = await exchange.follow();
    const { url } = exchange;
    const isFailure = status < 200 || status > 299;
    if (isFailure && !bounds.readsFailures) return { url, status, headers, bytes: new Uint8Array() };
    const limit = isFailure ? maxFailureBytes : bounds.maxBytes;
    const { bytes, isCut } = await untilAborted(
      readBytes(body, limit + 1, () => {}),
      signal,
    );
    if (isCut && !isFailure) throw new FetchError("too-large", url, `it has more than ${limit} bytes`);
    return { url, status, headers, bytes };
  } catch (error) {
    bounds.signal?.throwIfAborted();
    if (error instanceof FetchError) throw error;
    const { url } = exchange;
    if (timeout.aborted) throw new FetchError("late", url, `no answer within ${bounds.timeoutMs / 1000} s`);
    const { code, reason } = causeOf(error);
    throw new FetchError("unreachable", url, reason, code);
  } finally {
    exchange.leave();
  }
}

/** The requests for one URL, one after the other. */
class Exchange {
  readonly #start: URL;
  readonly #bounds: FetchBounds;
  readonly #signal: AbortSignal;
  #leaving = new AbortController();
  #url: URL;

  constructor(start: URL, bounds: FetchBounds, signal: AbortSignal) {
    this.#start = start;
    this.#url = start;
    this.#bounds = bounds;
    this.#signal = signal;
  }

  /** Where it is now. */
  get url(): URL {
    return this.#url;
  }

  /** Closes the connection, unless its answer was read to the end. */
  leave(): void {
    this.#leaving.abort();
  }

  async follow(): Promise<TransportResponse> {
    const { maxRedirects } = this.#bounds;
    for (let redirects = 0; ; redirects++) {
      await check(this.#url, this.#start, this.#bounds.mayAsk, this.#signal);
      const response = await this.#ask();
      const target = response.status > 299 && response.status < 400 ? response.headers.get("location") : null;
      if (target === null) return response;
      this.leave();
      if (redirects === maxRedirects)
        throw new FetchError("redirects", this.#url, `redirects more than ${maxRedirects} times`);
      if (!URL.canParse(target, this.#url.href))
        throw new FetchError("redirect-target", this.#url, "redirects to an invalid URL");
      this.#url = new URL(target, this.#url);
    }
  }

  #ask(): Promise<TransportResponse> {
    const { accept, userAgent, send = sendByFetch } = this.#bounds;
    const headers = { accept, ...optionalMember("user-agent", userAgent) };
    this.#leaving = new AbortController();
    const signal = AbortSignal.any([this.#signal, this.#leaving.signal]);
    return untilAborted(send({ method: "GET", url: this.#url.href, headers, signal }), signal);
  }
}

async function check(url: URL, start: URL, mayAsk: HostRule, signal: AbortSignal): Promise<void> {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("scheme", url, `${url.protocol} is neither http nor https`);
  if (url.username !== "" || url.password !== "")
    throw new FetchError("credentials", url, "has a user name or a password in its URL");
  const verdict = await untilAborted(Promise.resolve(mayAsk(url, start)), signal);
  if (verdict !== "allowed") throw new FetchError(verdict, url, verdictWords[verdict]);
}

const verdictWords: Readonly<Record<Exclude<Verdict, "allowed">, string>> = {
  private: "is not public",
  blocked: "blocks bots",
  "other-origin": "is another host",
};

/** A host as the rules take it: without brackets, and without the dot of a complete name. */
export function plainHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

/**
 * Hosts of the public internet, by their name and by each address that DNS gives it. The request looks the name up again,
 * and DNS may answer otherwise then: the address can't be handed on, because a proxy may be what connects.
 */
export async function publicHosts(url: URL, _start?: URL, addressesOf = addressesByDns): Promise<Verdict> {
  const host = plainHost(url);
  if (isPrivateHost(host)) return "private";
  const addresses = isIP(host) ? [] : await addressesOf(host);
  return addresses.some(isPrivateHost) ? "private" : "allowed";
}

/** None of a name that DNS here does not know: a proxy may. The request reports the error. */
async function addressesByDns(host: string): Promise<readonly string[]> {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** The same and this machine, under the names that are always its own. */
export function publicHostsAndThisMachine(url: URL): Verdict | Promise<Verdict> {
  return isThisMachine(plainHost(url)) ? "allowed" : publicHosts(url);
}

/** The origin of the first URL alone, which the user chose, wherever it is. */
export function originOfStart(url: URL, start: URL): Verdict {
  return url.origin === start.origin ? "allowed" : "other-origin";
}

/** The editor patches fetch for proxies and certificates. Traced, because a proxy may close the connection. */
async function sendByFetch({ method, url, headers, signal }: TransportRequest): Promise<TransportResponse> {
  const response = await traced(url, new SendTrace(), () =>
    fetch(url, {
      ...{ method, headers, signal },
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
    }),
  );
  return { status: response.status, headers: response.headers, body: response.body ?? noBody };
}

const noBody: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/** fetch has the reason in `cause`. What a proxy did is said, because its code is that of any lost connection. */
function causeOf(error: unknown): { readonly code: string | undefined; readonly reason: string } {
  const { message, details } = classifyThrown("", error, []);
  if (details.code === proxyClosedCode) return { code: undefined, reason: "the proxy closed the connection" };
  if (details.reason === "proxy") return { code: undefined, reason: `the proxy refused it: ${message}` };
  const outer = error instanceof Error ? error : new Error(String(error));
  const cause = outer.cause instanceof Error ? outer.cause : outer;
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  return { code, reason: code ?? cause.message };
}
