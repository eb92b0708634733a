import { connect } from "node:net";
import { readAddressFile } from "../addressFile.ts";
import { isProof, LinkChannel, type LinkMessage, newNonce, proofOf } from "../addressLink.ts";

/** A connection to the process at the port. It is open as long as both sides live. */
export interface JoinedAddress {
  /** Version of the extension that started the process. */
  readonly version: string;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Frees the port. Resolves when it is free, or the process has ended. */
  replace(): Promise<void>;
  /** Ends the process: the gateway was turned off. Resolves when the port is free. */
  end(): Promise<void>;
  close(): void;
}

export interface JoinOptions {
  readonly version: string;
  /** Path of the private socket of a window that takes calls; empty for a process that succeeds the other one. */
  readonly socket: string;
  /** The calls come to this window from now on. */
  readonly onServe?: () => void;
}

/** Connects to the process that has written this file. Undefined if there is none, or it can't show the secret. */
export async function joinAddress(path: string, options: JoinOptions): Promise<JoinedAddress | undefined> {
  const file = await readAddressFile(path);
  if (!file) return undefined;
  const socket = connect(file.socket);
  const own = newNonce();
  let expected: string | undefined;
  const welcome = Promise.withResolvers<string | undefined>();
  const freed = Promise.withResolvers<void>();
  const greet = ({ nonce: theirs = "" }: LinkMessage) => {
    expected = proofOf(file.secret, "process", { theirs: own, own: theirs });
    const proof = proofOf(file.secret, "window", { theirs, own });
    channel.send({ t: "hello", nonce: own, proof, version: options.version, socket: options.socket });
    channel.expect();
  };
  let isProven = false;
  const channel = new LinkChannel(socket, (message) => {
    if (message.t === "challenge" && expected === undefined) return greet(message);
    if (message.t === "welcome") isProven = expected !== undefined && isProof(message.proof, expected);
    if (!isProven) return void socket.destroy();
    if (isToServe(message)) options.onServe?.();
    if (message.t === "welcome") welcome.resolve(message.version ?? "");
    if (message.t === "freed") freed.resolve();
  });
  channel.expect();
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
      welcome.resolve(undefined);
      freed.resolve();
    });
  });
  const version = await welcome.promise;
  if (version === undefined) return undefined;
  return {
    version,
    closed,
    replace() {
      channel.send({ t: "replace" });
      return freed.promise;
    },
    end() {
      channel.send({ t: "end" });
      channel.expect();
      return closed;
    },
    close: () => socket.destroy(),
  };
}

/** Of a message of the process. A window that has joined knows from the welcome whether it has the calls. */
function isToServe({ t, serve }: LinkMessage): boolean {
  return t === "serve" || serve === "yes";
}
