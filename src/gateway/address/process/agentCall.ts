import { connect, type Socket } from "node:net";
import { type OwnAnswer, ownAnswer, ownAnswers } from "./ownAnswer.ts";

/** What a call needs of the process. */
export interface CallHost {
  /** Path of the socket of the window that takes calls; undefined if there is none. */
  readonly window: () => string | undefined;
  /** Keeps a call until `tryAgain`. False if too many are kept already. */
  keep(call: AgentCall): boolean;
  release(call: AgentCall): void;
  readonly holdMs: number;
}

/** Bytes of a call that are read before a window has it. The rest waits in the program that sends it. */
const mostBytes = 1_000_000;
/** A connection that says nothing is closed. */
const silentMs = 10_000;
/** A window that does not take a connection has too many, or is about to close. */
const retryMs = 100;
/** The rest of a request is read for this time, so that its sender gets the answer, not a reset. */
const lingerMs = 2_000;

/**
 * One connection of an agent, which has one call. Its bytes are passed to a window as they are. Before a window has
 * accepted it, it waits; after that it is never sent to another one, because it may have been billed.
 */
export class AgentCall {
  readonly #socket: Socket;
  readonly #host: CallHost;
  readonly #read: Buffer[] = [];
  #size = 0;
  #upstream: Socket | undefined;
  #patience: NodeJS.Timeout;
  #retry: NodeJS.Timeout | undefined;
  #isWaiting = true;

  constructor(socket: Socket, host: CallHost) {
    this.#socket = socket;
    this.#host = host;
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", this.#keepBytes);
    socket.once("close", () => this.#end());
    this.#patience = setTimeout(() => this.close(), silentMs);
  }

  /** Goes to the window that takes calls now. */
  tryAgain(): void {
    if (!this.#isWaiting || this.#upstream || this.#size === 0) return;
    clearTimeout(this.#retry);
    const path = this.#host.window();
    if (path !== undefined) this.#offer(path);
    else if (!this.#host.keep(this)) this.#answer(ownAnswers.tooManyWait);
  }

  /** Ends the connection: no window has come in time, or the process ends. */
  close(): void {
    this.#answer(this.#isWaiting ? ownAnswers.noWindow : ownAnswers.lost);
  }

  readonly #keepBytes = (piece: Buffer) => {
    const isFirst = this.#size === 0;
    this.#read.push(piece);
    this.#size += piece.byteLength;
    if (this.#size >= mostBytes) this.#socket.pause();
    if (!isFirst) return;
    clearTimeout(this.#patience);
    this.#patience = setTimeout(() => this.close(), this.#host.holdMs);
    this.tryAgain();
  };

  #offer(path: string): void {
    const upstream = connect(path);
    this.#upstream = upstream;
    let isTaken = false;
    upstream.on("error", () => {});
    upstream.once("connect", () => {
      isTaken = true;
      this.#pass(upstream);
    });
    upstream.once("close", () => {
      if (isTaken) return this.#end(upstream.bytesRead > 0 ? undefined : ownAnswers.lost);
      // Nothing has reached the window.
      this.#upstream = undefined;
      if (!this.#isWaiting) return;
      if (!this.#host.keep(this)) return this.#answer(ownAnswers.tooManyWait);
      this.#retry = setTimeout(() => this.tryAgain(), retryMs);
    });
  }

  #pass(upstream: Socket): void {
    this.#settle();
    this.#socket.off("data", this.#keepBytes);
    for (const piece of this.#read) upstream.write(piece);
    this.#read.length = 1;
    this.#socket.pipe(upstream);
    upstream.pipe(this.#socket, { end: false });
  }

  /** No longer waits. */
  #settle(): void {
    this.#isWaiting = false;
    clearTimeout(this.#patience);
    clearTimeout(this.#retry);
    this.#host.release(this);
  }

  #answer(answer: OwnAnswer): void {
    const [first] = this.#read;
    const isStarted = (this.#upstream?.bytesRead ?? 0) > 0;
    this.#end(first && !isStarted ? answer : undefined);
  }

  /** Ends the answer of the window, or answers itself. */
  #end(answer?: OwnAnswer): void {
    this.#settle();
    this.#upstream?.destroy();
    const socket = this.#socket;
    if (socket.destroyed || socket.writableEnded) return;
    if (this.#upstream) socket.unpipe(this.#upstream);
    socket.off("data", this.#keepBytes);
    socket.resume();
    if (answer) socket.write(ownAnswer(this.#read[0] ?? Buffer.alloc(0), answer));
    socket.end();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}
