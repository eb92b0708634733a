import { Agent, ClientRequest, type IncomingMessage } from "node:http";
import { urlToHttpOptions } from "node:url";
import { decodedBody } from "./contentEncoding.ts";
import { readClosedConnections, type TransportRequest, type TransportResponse } from "./transport.ts";

/** A request whose body is text. It is not traced: nothing on this machine is billed. */
interface LoopbackRequest extends Omit<TransportRequest, "body" | "trace"> {
  readonly body: string;
}

/**
 * Sends HTTP to this machine, past every proxy, over connections that are kept. Node's own client takes two thirds
 * of the processor time of undici, and nothing has to be loaded for it.
 */
export class LoopbackTransport {
  readonly #agents = new Map<string, Agent>();

  /** Rejects with the signal's reason once it is aborted, and so does the iteration of the body. */
  async send({
    method,
    url,
    headers,
    body,
    signal,
  }: LoopbackRequest): Promise<Pick<TransportResponse, "status" | "body">> {
    await readClosedConnections();
    signal.throwIfAborted();
    const length = String(Buffer.byteLength(body));
    const sized = { ...headers, "content-length": length };
    const sent = await this.#request(url, { method, headers: sized });
    const message = await answerTo(sent, body, signal);
    const encoding = message.headers["content-encoding"];
    return { status: message.statusCode ?? 0, body: decodedBody(message, encoding ?? null) };
  }

  async #request(url: string, options: Pick<LoopbackRequest, "method" | "headers">): Promise<ClientRequest> {
    const parsed = new URL(url);
    const { protocol } = parsed;
    const https = protocol === "https:" ? await import("node:https") : undefined;
    const agent = this.#agents.get(protocol) ?? new (https?.Agent ?? Agent)({ keepAlive: true });
    this.#agents.set(protocol, agent);
    if (https) return https.request(url, { ...options, agent });
    // VS Code replaces `http.request`, whose requests then read its settings and close their connections.
    return new ClientRequest({ ...urlToHttpOptions(parsed), ...options, agent });
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

/** Sends the body and waits for the headers. The signal ends the exchange up to the end of the answer. */
function answerTo(sent: ClientRequest, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    const abort = () => {
      // Once there are headers, the reader of the body is told.
      message?.destroy(signal.reason);
      sent.destroy(signal.reason);
    };
    signal.addEventListener("abort", abort, { once: true });
    sent.once("response", (received) => {
      message = received;
      resolve(received);
    });
    sent.on("error", reject);
    sent.once("close", () => signal.removeEventListener("abort", abort));
    sent.end(body);
  });
}
