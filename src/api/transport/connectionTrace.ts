import { AsyncLocalStorage } from "node:async_hooks";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Duplex } from "node:stream";
import { proxyClosedCode } from "../errors/errors.ts";
import { skipInterimAnswers } from "./interimAnswers.ts";

/** What became of one request on its way to a socket. Undici reports it, in Node, in the editor and here. */
export class SendTrace {
  /** False once the request waits for a connection, true once it is written to one; undefined if neither was reported. */
  isSent: boolean | undefined;
  /** True if a proxy was asked to connect. */
  isProxied = false;
}

interface UndiciRequest {
  readonly method?: unknown;
}
interface SentHeaders {
  readonly request?: UndiciRequest;
  readonly socket?: Duplex;
}
interface ConnectError {
  readonly connectParams?: { readonly hostname?: unknown; readonly port?: unknown };
  readonly error?: { code?: unknown };
}

const current = new AsyncLocalStorage<SendTrace>();

/**
 * Sends a request and follows it in the trace. If the proxy closes the connection, it fails at once: undici takes the
 * code of that error for a lost connection, and connects again hundreds of times a second, for as long as the process
 * lives, whether the request is aborted or not. Another code makes it give up. Interim answers are skipped.
 */
export async function traced<Response>(
  url: string,
  trace: SendTrace,
  send: () => Promise<Response>,
): Promise<Response> {
  const { hostname, port } = new URL(url);
  let own: UndiciRequest | undefined;
  const onCreate = (message: unknown) => {
    if (current.getStore() !== trace) return;
    const { request } = message as { readonly request: UndiciRequest };
    if (request.method === "CONNECT") trace.isProxied = true;
    else if (own === undefined) {
      own = request;
      trace.isSent = false;
    }
  };
  const onSendHeaders = (message: unknown) => {
    const { request, socket } = message as SentHeaders;
    if (own === undefined || request !== own) return;
    trace.isSent = true;
    if (socket) skipInterimAnswers(socket);
  };
  const onConnectError = (message: unknown) => {
    const { connectParams, error } = message as ConnectError;
    const isHere =
      connectParams?.hostname === hostname.replace(/^\[|\]$/g, "") && connectParams.port === port;
    // Without a proxy, no attempt to connect ends with undici's own code.
    const isClosed = error?.code === "UND_ERR_SOCKET" || (trace.isProxied && error?.code === "ECONNRESET");
    if (!isHere || trace.isSent !== false || !isClosed) return;
    trace.isProxied = true;
    error.code = proxyClosedCode;
  };
  subscribe("undici:request:create", onCreate);
  subscribe("undici:client:sendHeaders", onSendHeaders);
  subscribe("undici:client:connectError", onConnectError);
  try {
    return await current.run(trace, send);
  } finally {
    unsubscribe("undici:request:create", onCreate);
    unsubscribe("undici:client:sendHeaders", onSendHeaders);
    unsubscribe("undici:client:connectError", onConnectError);
  }
}
