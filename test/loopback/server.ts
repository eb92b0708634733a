// An HTTP server on loopback that records its requests, for tests and benchmarks of HTTP clients.
import { EventEmitter, once } from "node:events";
import http, { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import type { KeyPair } from "../vscode/certificate.ts";

/** One request with its complete body. */
interface Received {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves to the time (`performance.now()`) at which the caller disconnected or the answer was sent. */
  readonly closed: Promise<number>;
}

export type Answer = (request: Received, response: ServerResponse) => unknown;

export interface Loopback {
  /** `http://127.0.0.1:port`, https with a certificate. */
  readonly origin: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly received: readonly Received[];
  /** Number of accepted connections. */
  readonly connections: number;
  /** Resolves once request number `index` (0-based) has arrived. */
  arrival(index: number): Promise<Received>;
  close(): Promise<void>;
}

export interface LoopbackOptions {
  readonly certificate?: KeyPair;
}

/** Listens on a free port of 127.0.0.1. */
export async function listen(answer: Answer, options: LoopbackOptions = {}): Promise<Loopback> {
  const received: Received[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  let connections = 0;
  const onRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const known = await read(request, response);
    received.push(known);
    arrivals.emit("arrival");
    await answer(known, response);
  };
  const { certificate } = options;
  const server = certificate ? https.createServer(certificate, onRequest) : http.createServer(onRequest);
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${certificate ? "https" : "http"}://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections;
    },
    async arrival(index) {
      for (;;) {
        const known = received[index];
        if (known) return known;
        await once(arrivals, "arrival");
      }
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function read(request: IncomingMessage, response: ServerResponse): Promise<Received> {
  const closed = new Promise<number>((resolve) => {
    response.once("close", () => resolve(performance.now()));
  });
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces).toString();
  return { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body, closed };
}
