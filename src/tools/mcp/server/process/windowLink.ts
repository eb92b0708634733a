import { connect, type Socket } from "node:net";
import { createLineReader } from "../../../../shared/lineReader.ts";
import { mayHaveHappened } from "../../../../shared/mayHaveHappened.ts";
import {
  type LinkResult,
  type LinkTool,
  maxLineToServer,
  maxLineToWindow,
  type OpenedWindow,
  readToServer,
  type ToServer,
  type ToWindow,
  toLine,
} from "../../../../shared/mcpLink.ts";

/** A connection to a window of the editor. */
export interface WindowLink {
  readonly tools: readonly LinkTool[];
  readonly isOpen: boolean;
  /**
   * `onState` receives sentences about the progress. Rejects with LinkError if the window is lost, and with the signal's
   * reason on abort.
   */
  call(
    name: string,
    input: unknown,
    signal: AbortSignal,
    onState: (text: string) => void,
  ): Promise<LinkResult>;
  close(): void;
}

/** A reason with the next step, for the client. `refused`: the window rejected the token. */
export class LinkError extends Error {
  readonly kind: "unreachable" | "refused" | "lost" | "too-large";
  constructor(kind: LinkError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A window answers at once, unless its extension host hangs. */
const answerTimeoutMs = 10_000;
const lost = `The window of VS Code was closed during the call, or its extensions were restarted. The call was not repeated. ${mayHaveHappened.billed} inference_usage tells.`;
const lostBefore =
  "The window of VS Code was closed before the call was sent, for example while its question was open, or its extensions were restarted. Nothing was sent, and nothing was billed. Open VS Code, and repeat the call.";
const shutOut =
  "The window of VS Code closed the connection before a call was made: it has too many MCP clients, or is closing. Nothing was sent, and nothing was billed. Close a client, and repeat the call.";

interface PendingCall {
  /** The window has told that what follows may be billed. */
  isSending: boolean;
  readonly onState: (text: string) => void;
  readonly settle: PromiseWithResolvers<LinkResult>;
}

/** Rejects with LinkError. */
export async function openWindowLink(
  { socket: path, token }: OpenedWindow,
  client: { readonly name: string; readonly version: string },
  timeoutMs = answerTimeoutMs,
): Promise<WindowLink> {
  const socket = connect(path);
  const welcome = Promise.withResolvers<readonly LinkTool[]>();
  const pending = new Map<number, PendingCall>();
  const end = (error: LinkError) => {
    welcome.reject(error);
    for (const { settle, isSending } of pending.values())
      settle.reject(error.kind === "lost" && !isSending ? new LinkError("lost", lostBefore) : error);
    pending.clear();
    socket.destroy();
  };
  const timeout = setTimeout(
    () => end(new LinkError("unreachable", "The window of VS Code does not answer.")),
    timeoutMs,
  );
  const receive = (message: ToServer) => {
    if (message.t === "welcome") return welcome.resolve(message.tools);
    if (message.t === "refused") return end(new LinkError("refused", message.sentence));
    const call = pending.get(message.id);
    if (message.t === "state") {
      if (call && message.isSending) call.isSending = true;
      return call?.onState(message.text);
    }
    pending.delete(message.id);
    const { content, isError } = message;
    call?.settle.resolve({ content, isError });
  };
  let isWelcome = false;
  void welcome.promise.then(
    () => {
      isWelcome = true;
    },
    () => {},
  );
  listen(socket, receive, (error) =>
    end(error.kind === "lost" && !isWelcome ? new LinkError("refused", shutOut) : error),
  );
  socket.on("connect", () => send(socket, { t: "hello", token, client }));
  const tools = await welcome.promise.finally(() => clearTimeout(timeout));
  return toLink(socket, tools, pending);
}

function listen(socket: Socket, receive: (message: ToServer) => void, end: (error: LinkError) => void): void {
  const read = createLineReader(maxLineToServer, (line) => {
    const message = readToServer(line);
    if (message) receive(message);
  });
  let isConnected = false;
  socket.setEncoding("utf8");
  socket.on("connect", () => {
    isConnected = true;
  });
  socket.on("data", (chunk: string) => {
    if (!read(chunk))
      end(new LinkError("too-large", "The window of VS Code sent a result that is too large."));
  });
  // `close` follows.
  socket.on("error", () => {});
  socket.on("close", () =>
    end(
      isConnected
        ? new LinkError("lost", lost)
        : new LinkError("unreachable", "The window of VS Code is gone."),
    ),
  );
}

function toLink(socket: Socket, tools: readonly LinkTool[], pending: Map<number, PendingCall>): WindowLink {
  let lastId = 0;
  return {
    tools,
    get isOpen() {
      return !socket.destroyed;
    },
    async call(name, input, signal, onState) {
      signal.throwIfAborted();
      const id = ++lastId;
      const line = toLine({ t: "call", id, name, input });
      if (line.length > maxLineToWindow)
        throw new LinkError("too-large", `${name} was not run, because its input is too large.`);
      if (socket.destroyed)
        throw new LinkError(
          "unreachable",
          "The window of VS Code is gone. Nothing was sent. Repeat the call.",
        );
      const settle = Promise.withResolvers<LinkResult>();
      pending.set(id, { isSending: false, onState, settle });
      socket.write(line);
      const onAbort = () => {
        pending.delete(id);
        send(socket, { t: "cancel", id });
        settle.reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort, { once: true });
      return settle.promise.finally(() => signal.removeEventListener("abort", onAbort));
    },
    close: () => socket.destroy(),
  };
}

function send(socket: Socket, message: ToWindow): void {
  if (!socket.destroyed) socket.write(toLine(message));
}
