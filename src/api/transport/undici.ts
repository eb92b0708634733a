import { Readable } from "node:stream";
import tls from "node:tls";
import type { Dispatcher } from "undici";
// Only the agent and api modules: undici's main module would replace the global dispatcher of the process.
import connectThrough from "undici/lib/api/api-connect.js";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import ProxyAgent from "undici/lib/dispatcher/proxy-agent.js";
import { proxyClosedCode } from "../errors/errors.ts";
import { SendTrace, traced } from "./connectionTrace.ts";
import { readClosedConnections, type Transport, type TransportBody } from "./transport.ts";

export interface UndiciOptions {
  /** `http://user:password@host:port`, an HTTP proxy that is used with CONNECT. */
  readonly proxyUrl?: string;
  /** Trust the system's certificates in addition to Node's; default true. */
  readonly systemCertificates?: boolean;
  /** Connect timeout in milliseconds; default 10,000. */
  readonly connectTimeoutMs?: number;
}

/** An agent with keep-alive connections. It sets no timeouts for headers and bodies: the signal does. */
export function createUndiciTransport(options: UndiciOptions = {}): Transport {
  const ca = options.systemCertificates === false ? undefined : trustedCertificates();
  const tlsOptions = ca ? { ca } : {};
  const connect = { ...tlsOptions, timeout: options.connectTimeoutMs ?? 10_000 };
  const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 };
  const agent = options.proxyUrl
    ? new ProxyAgent({
        ...limits,
        uri: options.proxyUrl,
        requestTls: connect,
        proxyTls: tlsOptions,
        clientFactory: (proxy: URL, settings: object) => proxyClient(proxy, settings, connect.timeout),
      })
    : new Agent({ ...limits, connect });
  let closed: Promise<void> | undefined;
  return {
    name: "undici",
    async send({ method, url, headers: sent, body, signal, trace = new SendTrace() }) {
      await readClosedConnections();
      const { origin, pathname, search } = new URL(url);
      const path = pathname + search;
      const reply = await traced(url, trace, () =>
        request.call(agent, { origin, path, method, signal, ...withBody(sent, body) }),
      );
      let headers: Headers | undefined;
      return {
        status: reply.statusCode,
        // Only made for those who read them.
        get headers() {
          headers ??= toHeaders(reply.headers);
          return headers;
        },
        body: reply.body,
      };
    },
    close: () => {
      closed ??= agent.close();
      return closed;
    },
  };
}

function withBody(headers: Readonly<Record<string, string>>, body: TransportBody | undefined) {
  if (body === undefined || typeof body === "string") return { headers, body: body ?? null };
  const sized = { ...headers, "content-length": String(body.length) };
  return { headers: sized, body: Readable.from(body.open(), { objectMode: false }) };
}

/**
 * The client that opens tunnels through the proxy, each within a time limit: undici has none for CONNECT. `connect` is
 * normally added by undici's main module, which is not loaded here.
 */
function proxyClient(origin: URL, options: object, timeoutMs: number): Pool {
  const pool = new Pool(origin, options);
  const connect = async (asked: Dispatcher.ConnectOptions) => {
    try {
      return await connectThrough.call(pool, { ...asked, signal: AbortSignal.timeout(timeoutMs) });
    } catch (error) {
      throw new ProxyFailure(error);
    }
  };
  return Object.assign(pool, { connect });
}

/** Node's bundled roots and those of the system, which node:tls reads since Node 22.15. */
function trustedCertificates(): string[] | undefined {
  if (typeof tls.getCACertificates !== "function") return undefined;
  return [...new Set([...tls.getCACertificates("bundled"), ...tls.getCACertificates("system")])];
}

function toHeaders(raw: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    for (const one of Array.isArray(value) ? value : [value ?? ""]) headers.append(name, one);
  }
  return headers;
}

/** A proxy did not open a tunnel. Nothing was sent to the service. */
class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
  /** Never that of undici for a lost connection: with it, undici would connect again without end. */
  readonly code: string;

  constructor(cause: unknown) {
    const { name, code, message } = cause as {
      readonly name?: unknown;
      readonly code?: unknown;
      readonly message?: unknown;
    };
    const isClosed = code === "UND_ERR_SOCKET" || code === "ECONNRESET" || code === "EPIPE";
    const isLate = name === "TimeoutError" || code === "UND_ERR_CONNECT_TIMEOUT";
    super(
      isClosed
        ? "it closed the connection"
        : isLate
          ? "it did not answer CONNECT in time"
          : `it failed: ${message}`,
      { cause },
    );
    this.code = isClosed ? proxyClosedCode : "ERR_PROXY_FAILED";
  }
}
