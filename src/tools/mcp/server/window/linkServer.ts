import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type Socket } from "node:net";
import type { LogOutputChannel } from "vscode";
import { createSocketPath, listening } from "../../../../platform/process/privateSocket.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import { createLineReader } from "../../../../shared/lineReader.ts";
import {
  clientNameLength,
  type LinkResult,
  type LinkTool,
  maxLineToServer,
  maxLineToWindow,
  type OpenedWindow,
  readToWindow,
  type ToServer,
  type ToWindow,
  toLine,
} from "../../../../shared/mcpLink.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import type { ServiceTool } from "../../../serviceTool.ts";
import type { CallResult, OnState, RunCall } from "./callRunner.ts";
import type { LinkFolder } from "./linkFolder.ts";

export interface LinkServerDeps {
  readonly folder: LinkFolder;
  readonly tools: readonly ServiceTool[];
  readonly describe: () => Pick<OpenedWindow, "folders" | "focusedAtMs">;
  readonly runCall: RunCall;
  readonly log: Pick<LogOutputChannel, "info" | "warn">;
  /** Milliseconds until a socket without a token is closed. */
  readonly helloTimeoutMs?: number;
}

/** The socket of this window, for the MCP server processes of this user. */
export interface LinkServer {
  /** Name of the window's file in the shared folder. */
  readonly name: string;
  /** Writes the window's file again, after its folders or its focus changed. */
  announce(): void;
  /** Ends all calls. Their billed requests are aborted. */
  close(): void;
}

const maxConnections = 50;
/** Calls in progress of one client. */
const maxCalls = 20;

export async function openLinkServer(deps: LinkServerDeps): Promise<LinkServer> {
  const { folder, describe, log } = deps;
  const token = randomBytes(32).toString("base64url");
  const name = randomBytes(8).toString("hex");
  const tools = deps.tools.map(toLinkTool);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    serveSocket(socket, token, tools, deps);
  });
  server.maxConnections = maxConnections;
  const socketPath = await createSocketPath("mcp");
  await listening(server, { path: socketPath.path });
  let isClosed = false;
  const writes = new SerialQueue();
  const announce = () =>
    writes
      .run(async () => {
        if (isClosed) return;
        await folder.writeWindow(name, { socket: socketPath.path, token, pid: process.pid, ...describe() });
        if (isClosed) folder.removeWindow(name);
      })
      .catch((error: unknown) => log.warn(`MCP clients do not find this window: ${error}`));
  await Promise.all([folder.sweep(), folder.writeTools(tools), folder.writeLauncher()]);
  await announce();
  return {
    name,
    announce: () => void announce(),
    close() {
      isClosed = true;
      folder.removeWindow(name);
      server.close();
      for (const socket of sockets) socket.destroy();
      socketPath.remove();
    },
  };
}

/** One client: `hello` with the token first, then its calls. */
function serveSocket(
  socket: Socket,
  token: string,
  tools: readonly LinkTool[],
  { runCall, log, helloTimeoutMs = 10_000 }: LinkServerDeps,
): void {
  const calls = new Map<number, AbortController>();
  let client: string | undefined;
  const send = (message: ToServer) => {
    if (!socket.destroyed) socket.write(toLine(message));
  };
  const refuse = (sentence: string) => socket.end(toLine({ t: "refused", sentence }));
  const timeout = setTimeout(() => socket.destroy(), helloTimeoutMs);
  const greet = (message: ToWindow & { readonly t: "hello" }) => {
    clearTimeout(timeout);
    if (!isSame(message.token, token)) {
      log.warn("an MCP client was refused, because its token is not that of this window");
      return refuse(staleToken);
    }
    client = clientName(message.client.name);
    log.info(`MCP client connected: ${client} ${clientName(message.client.version)}`);
    send({ t: "welcome", tools: [...tools] });
  };
  const run = async (id: number, name: string, input: unknown, from: string) => {
    const abort = new AbortController();
    calls.set(id, abort);
    const tell: OnState = (text, isSending = false) =>
      new Promise((resolve) => {
        if (abort.signal.aborted || socket.destroyed) return resolve();
        socket.write(toLine({ t: "state", id, text, ...(isSending ? { isSending } : {}) }), () => resolve());
      });
    const result = await runCall({ name, input, client: from }, abort.signal, tell);
    calls.delete(id);
    if (!abort.signal.aborted) send(toResult(id, result));
  };
  const receive = (message: ToWindow) => {
    if (message.t === "hello") return client === undefined ? greet(message) : undefined;
    if (client === undefined) return refuse(staleToken);
    if (message.t === "cancel") return calls.get(message.id)?.abort();
    if (calls.has(message.id)) return;
    if (calls.size >= maxCalls) return send({ t: "result", id: message.id, ...tooManyCalls });
    void run(message.id, message.name, message.input, client);
  };
  const read = createLineReader(maxLineToWindow, (line) => {
    const message = readToWindow(line);
    if (message) receive(message);
  });
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    if (!read(chunk)) socket.destroy();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(timeout);
    for (const abort of calls.values()) abort.abort();
    if (client !== undefined) log.info(`MCP client disconnected: ${client}`);
  });
}

const staleToken =
  "The token is not that of this window. Restart the MCP server in its client, so that it finds the open windows again. Nothing was sent.";

const tooManyCalls: LinkResult = {
  content: [
    { type: "text", text: `More than ${maxCalls} calls at once. Wait for one of them. Nothing was sent.` },
  ],
  isError: true,
};

function toResult(id: number, { content, isError, isFree = false }: CallResult): ToServer {
  const length = content.reduce(
    (sum, part) => sum + (part.type === "text" ? part.text.length * 6 : part.data.length),
    0,
  );
  if (length < maxLineToServer - 10_000) return { t: "result", id, content, isError };
  const text = `The result is too large for an MCP client (${length} bytes). ${isFree ? "It cost nothing." : "It was billed."} Run the tool in VS Code.`;
  return { t: "result", id, content: [{ type: "text", text }], isError: true };
}

function toLinkTool({ name, title, description, parameters, isReadOnly }: ServiceTool): LinkTool {
  return { name, title, description, inputSchema: parameters, isReadOnly };
}

/** Clients name themselves. */
function clientName(name: string): string {
  return visibleLine(name.slice(0, clientNameLength)).trim() || "unknown client";
}

function isSame(given: string, token: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(token)));
}
