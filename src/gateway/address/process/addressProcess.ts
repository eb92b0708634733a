import { rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { createSocketPath, listening } from "../../../platform/process/privateSocket.ts";
import { type AddressFile, addressPath, writeAddressFile } from "../addressFile.ts";
import {
  type AddressStart,
  isOlder,
  isProof,
  LinkChannel,
  type LinkMessage,
  newNonce,
  proofOf,
} from "../addressLink.ts";
import { joinAddress } from "../window/joinAddress.ts";
import { AgentCall, type CallHost } from "./agentCall.ts";

/** `running`: one of this version or a later one has the port already. `taken`: another program has it. */
export type StartOutcome = "ready" | "running" | "taken";

const mostConnections = 1_000;
/** Calls that wait for a window. */
const mostKept = 64;
const mostLinks = 50;

/**
 * Has the port of the gateway as long as a window is there, or comes back in time. It has no key and reads no request: it
 * passes the bytes of each connection to the window that takes calls.
 */
export class AddressProcess {
  readonly #start: AddressStart;
  readonly #onEnd: () => void;
  readonly #port: Server;
  readonly #links: Server;
  /** The sockets of the windows, in the order in which they came, with the path of each. The first one gets all calls. */
  readonly #windows = new Map<Socket, { readonly path: string; readonly channel: LinkChannel }>();
  readonly #calls = new Set<AgentCall>();
  readonly #kept = new Set<AgentCall>();
  #file: AddressFile = { socket: "", secret: "" };
  #removeSocket = () => {};
  #alone: NodeJS.Timeout | undefined;
  #isRetired = false;
  #isEnded = false;

  /** `onEnd`: nothing is left to do. */
  constructor(start: AddressStart, onEnd: () => void) {
    this.#start = start;
    this.#onEnd = onEnd;
    this.#port = createServer((socket) => this.#accept(socket));
    this.#port.maxConnections = mostConnections;
    this.#links = createServer((socket) => this.#greet(socket));
    this.#links.maxConnections = mostLinks;
  }

  /** Rejects if the port or the private socket can't be opened for another reason than that the port is taken. */
  async begin(): Promise<StartOutcome> {
    const { folder, port, version } = this.#start;
    const path = addressPath(folder, port);
    const before = await joinAddress(path, { version, socket: "" });
    if (before && !isOlder(before.version, version)) {
      before.close();
      return "running";
    }
    await before?.replace();
    try {
      await listening(this.#port, { port, host: "127.0.0.1" });
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") return "taken";
      throw error;
    }
    const socket = await createSocketPath("gateway");
    this.#removeSocket = socket.remove;
    this.#file = { socket: socket.path, secret: newNonce() };
    await listening(this.#links, { path: socket.path });
    await writeAddressFile(path, this.#file);
    this.#waitAlone();
    // Its windows come over now.
    before?.close();
    return "ready";
  }

  /** Frees the port, and ends all connections. */
  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // As long as this process has the port, the file is its own.
    if (!this.#isRetired) rmSync(addressPath(this.#start.folder, this.#start.port), { force: true });
    this.#retire();
    for (const call of this.#calls) call.close();
    for (const socket of this.#windows.keys()) socket.destroy();
    this.#checkEnd();
  }

  #accept(socket: Socket): void {
    const host: CallHost = {
      window: () => [...this.#windows.values()][0]?.path,
      keep: (call) => {
        if (this.#kept.size < mostKept) this.#kept.add(call);
        return this.#kept.has(call);
      },
      release: (call) => this.#kept.delete(call),
      holdMs: this.#start.holdMs,
    };
    const call = new AgentCall(socket, host);
    this.#calls.add(call);
    socket.once("close", () => {
      this.#calls.delete(call);
      this.#checkEnd();
    });
  }

  /** A window or a process that succeeds this one shows that it has the secret, and is shown it. */
  #greet(socket: Socket): void {
    const own = newNonce();
    let path: string | undefined;
    const channel = new LinkChannel(socket, (message) => {
      if (path !== undefined) return this.#receive(message, socket, channel);
      const theirs = message.nonce ?? "";
      const { secret } = this.#file;
      const isShown = isProof(message.proof, proofOf(secret, "window", { theirs: own, own: theirs }));
      if (message.t !== "hello" || !isShown) return void socket.destroy();
      path = message.socket ?? "";
      const proof = proofOf(secret, "process", { theirs, own });
      const isFirst = path !== "" && this.#windows.size === 0;
      const serve = isFirst ? "yes" : "no";
      channel.send({ t: "welcome", proof, version: this.#start.version, serve });
      if (path !== "") this.#addWindow(socket, path, channel);
    });
    channel.send({ t: "challenge", nonce: own });
    channel.expect();
  }

  #receive({ t }: LinkMessage, socket: Socket, channel: LinkChannel): void {
    if (t === "end") this.end();
    if (t !== "replace") return;
    this.#retire();
    // The file of the successor is written when it closes its connection: then the windows find it.
    socket.once("close", () => {
      for (const window of this.#windows.keys()) window.destroy();
    });
    channel.send({ t: "freed" });
  }

  #addWindow(socket: Socket, path: string, channel: LinkChannel): void {
    clearTimeout(this.#alone);
    this.#windows.set(socket, { path, channel });
    this.#tellFirst();
    socket.once("close", () => {
      this.#windows.delete(socket);
      this.#tellFirst();
      this.#waitAlone();
      this.#checkEnd();
    });
  }

  /** Tells the window that takes calls, which may hear it again, and gives it those that wait. */
  #tellFirst(): void {
    const [first] = this.#windows.values();
    if (!first) return;
    first.channel.send({ t: "serve" });
    for (const call of [...this.#kept]) call.tryAgain();
  }

  #waitAlone(): void {
    if (this.#windows.size > 0 || this.#isRetired) return;
    this.#alone = setTimeout(() => this.end(), this.#start.aloneMs);
  }

  /** Takes no more calls and windows. Calls in progress go on. */
  #retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    clearTimeout(this.#alone);
    this.#port.close();
    this.#links.close();
    this.#removeSocket();
  }

  #checkEnd(): void {
    if (this.#isRetired && this.#calls.size === 0 && this.#windows.size === 0) this.#onEnd();
  }
}
