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
import { failureOfCode, proxyClause } from "../errors/networkCodes.ts";
import { SendTrace, traced } from "./connectionTrace.ts";
import { decodedBody } from "./contentEncoding.ts";
import { environmentProxy, type ProxyEnvironment } from "./environmentProxy.ts";
import {
  readClosedConnections,
  type Transport,
  type TransportBody,
  type TransportResponse,
} from "./transport.ts";

export interface UndiciOptions {
  /** `http://user:password@host:port`, an HTTP proxy that is used with CONNECT. */
  readonly proxyUrl?: string;
  /** Without a `proxyUrl`: where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read. */
  readonly environment?: ProxyEnvironment;
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
  const direct = () => new Agent({ ...limits, connect });
  const through = (uri: string) =>
    new ProxyAgent({
      ...limits,
      uri,
      requestTls: connect,
      proxyTls: tlsOptions,
      clientFactory: (proxy: URL, settings: object) => proxyClient(proxy, settings, connect.timeout),
    });
  const agents = new Map<string, Dispatcher>();
  const { proxyUrl, environment } = options;
  const proxyOf = (url: string) => proxyUrl ?? (environment && environmentProxy(url, environment)) ?? "";
  const agentOf = (proxy: string): Dispatcher => {
    const agent = agents.get(proxy) ?? (proxy === "" ? direct() : through(proxy));
    agents.set(proxy, agent);
    return agent;
  };
  let closed: Promise<unknown> | undefined;
  return {
    name: "undici",
    async send({ method, url, headers: sent, body, signal, trace = new SendTrace() }) {
      // Undici reports here whatever it does. What is late before the first report was not sent.
      trace.isSent = false;
      const proxy = proxyOf(url);
      if (proxy !== "") trace.isProxied = true;
      await readClosedConnections();
      const { origin, pathname, search } = new URL(url);
      const path = pathname + search;
      const reply = await traced(url, trace, () =>
        request.call(agentOf(proxy), { origin, path, method, signal, ...withBody(sent, body) }),
      );
      const { statusCode, headers } = reply;
      const encoding = headers["content-encoding"];
      const decoded = encoding === undefined ? reply.body : decodedBody(reply.body, String(encoding));
      return new UndiciResponse(statusCode, headers, decoded);
    },
    async close() {
      closed ??= Promise.all([...agents.values()].map((agent) => agent.close()));
      await closed;
    },
  };
}

type RawHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * A class, because V8 stores the getter of an object literal among the old objects. Until the next full collection it keeps
 * the answer with its body: over many answers, tens of megabytes.
 */
class UndiciResponse implements TransportResponse {
  readonly status: number;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #raw: RawHeaders;
  #headers: Headers | undefined;

  constructor(status: number, raw: RawHeaders, body: AsyncIterable<Uint8Array>) {
    this.status = status;
    this.body = body;
    this.#raw = raw;
  }

  /** Only made for those who read them. */
  get headers(): Headers {
    this.#headers ??= toHeaders(this.#raw);
    return this.#headers;
  }
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

/** Node's bundled roots, those of the system, which node:tls reads since Node 22.15, and NODE_EXTRA_CA_CERTS. */
function trustedCertificates(): string[] | undefined {
  if (typeof tls.getCACertificates !== "function") return undefined;
  return [
    ...new Set([
      ...tls.getCACertificates("bundled"),
      ...tls.getCACertificates("system"),
      ...tls.getCACertificates("extra"),
    ]),
  ];
}

function toHeaders(raw: RawHeaders): Headers {
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
    const failed = () => proxyClause(failureOfCode(String(code))?.reason, String(message));
    super(isClosed ? "it closed the connection" : isLate ? "it did not answer CONNECT in time" : failed(), {
      cause,
    });
    this.code = isClosed ? proxyClosedCode : "ERR_PROXY_FAILED";
  }
}
