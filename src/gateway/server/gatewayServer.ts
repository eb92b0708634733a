import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { finished } from "node:stream/promises";
import { Refusal } from "../../platform/errors/refusal.ts";
import { listening } from "../../platform/process/privateSocket.ts";
import type { WireError } from "../formats/agentFormat.ts";
import { refusedHead, tokenOf } from "./access.ts";
import type { GatewayClient } from "./gatewayClient.ts";
import type { GatewayDeps } from "./gatewayDeps.ts";
import { createRoutes, type RouteAt } from "./routes.ts";
import { wireErrorOf } from "./wireErrorOf.ts";
import { writeError } from "./writeAnswer.ts";

export interface GatewayServer {
  readonly port: number;
  /** Ends all calls, and frees the port. */
  close(): Promise<void>;
}

const maxConnections = 1_000;
/** Calls in progress of one client. */
const mostCalls = 32;
const headMs = 10_000;
/** Node looks for connections beyond these times this often. */
const lookMs = 2_000;
/** A body of 34 MB over loopback takes a second. */
const requestMs = 60_000;

/** The socket to which the process at the public port passes what it gets there: one request for each connection. */
export interface PrivateAddress {
  readonly path: string;
  readonly publicPort: number;
}

/** Serves other agents on 127.0.0.1, or privately. Port 0 is a free one. Rejects if the port is taken. */
export async function startGateway(at: number | PrivateAddress, deps: GatewayDeps): Promise<GatewayServer> {
  const publicPort = typeof at === "number" ? undefined : at.publicPort;
  const shared: Shared = { deps, routeAt: createRoutes(), running: new Map(), publicPort };
  const server = createServer(
    {
      headersTimeout: headMs,
      requestTimeout: requestMs,
      keepAliveTimeout: 60_000,
      maxHeaderSize: 32_768,
      connectionsCheckingInterval: lookMs,
    },
    (message, res) => {
      void serve(message, res, shared).catch(() => res.destroy());
    },
  );
  server.maxConnections = maxConnections;
  // The process passes one request for each connection: a second one would be billed, and its answer lost.
  if (publicPort !== undefined) server.maxRequestsPerSocket = 1;
  server.on("connect", (_message, socket) => socket.end(noTunnel));
  if (publicPort !== undefined) server.on("clientError", refuseHead);
  await listening(server, typeof at === "number" ? { port: at, host: "127.0.0.1" } : { path: at.path });
  return {
    port: publicPort ?? portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Without an answer, the process at the port would say that the window was closed. */
const noTunnel = "HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";

/** What Node answers itself to a request that it can't read, by the code of its error. */
const headStatus: ReadonlyMap<string | undefined, string> = new Map([
  ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large"],
  ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout"],
]);

/** Node leaves the rest of the request unread, and then the process may lose the answer. */
function refuseHead(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (socket.writableEnded) return;
  const status = headStatus.get(error.code) ?? "400 Bad Request";
  if (!socket.writable || error.code === "ECONNRESET") return void socket.destroy();
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  setTimeout(() => socket.destroy(), restMs).unref();
}

/** Milliseconds in which the rest of a refused request is read. */
const restMs = 2_000;

/** Reads a body to its end, or for a short time: a process that still writes it would not get the answer. */
async function readRest(message: IncomingMessage): Promise<void> {
  if (message.complete) return;
  message.resume();
  await finished(message, { signal: AbortSignal.timeout(restMs) }).catch(() => {});
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** What the requests of one gateway share. */
interface Shared {
  readonly deps: GatewayDeps;
  readonly routeAt: RouteAt;
  /** The number of calls in progress, by client. */
  readonly running: Map<string, number>;
  /** Set if another process has the port. */
  readonly publicPort: number | undefined;
}

/** Answers one request. Rejects only if the answer can't be written. */
async function serve(
  message: IncomingMessage,
  res: ServerResponse,
  { deps, routeAt, running, publicPort }: Shared,
): Promise<void> {
  res.on("error", () => {});
  if (publicPort !== undefined) res.setHeader("connection", "close");
  const route = routeAt(message);
  const port = publicPort ?? message.socket.localPort ?? 0;
  const refuse = async (failure: Parameters<typeof writeError>[1]) => {
    if (publicPort !== undefined) await readRest(message);
    await writeError(res, failure, route.format);
  };
  const client = await admitted(message, port, deps);
  if ("status" in client) return refuse({ error: client });
  const count = running.get(client.id) ?? 0;
  if (count >= mostCalls) return refuse({ error: tooMany, retryAfterSeconds: 1 });
  running.set(client.id, count + 1);
  const abort = new AbortController();
  res.once("close", () => abort.abort());
  try {
    await route.run({ message, res, client, deps, abort, newId });
  } catch (error) {
    await refuse(wireErrorOf(error, "The service", deps.now()));
  } finally {
    const left = (running.get(client.id) ?? 1) - 1;
    if (left > 0) running.set(client.id, left);
    else running.delete(client.id);
  }
}

const tooMany: WireError = {
  status: 429,
  sentence: `More than ${mostCalls} calls at once. Wait for one of them. Nothing was sent.`,
  code: "rate_limit_exceeded",
};

/** The client of a request, or why it is refused before its body is read. */
async function admitted(
  message: IncomingMessage,
  port: number,
  deps: GatewayDeps,
): Promise<GatewayClient | WireError> {
  const refused = refusedHead(message, port);
  if (refused) return refused;
  const token = tokenOf(message);
  try {
    return (token === undefined ? undefined : await deps.clientOf(token)) ?? unknownToken;
  } catch (error) {
    if (error instanceof Refusal) return { status: 403, sentence: error.message };
    throw error;
  }
}

const unknownToken: WireError = {
  status: 401,
  sentence:
    "The token is not one of this gateway, or it was revoked. Run “Use with Other Agents…” in VS Code for a new one. Nothing was sent.",
  code: "invalid_api_key",
};

/** A random id with this prefix. */
function newId(prefix: string): string {
  return `${prefix}${randomBytes(16).toString("hex")}`;
}
