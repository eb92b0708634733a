import { connect } from "node:net";
import { readAddressFile } from "../addressFile.ts";
import { isProof, LinkChannel, newNonce, proofOf } from "../addressLink.ts";

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
  const channel = new LinkChannel(socket, (message) => {
    if (message.t === "challenge" && expected === undefined) {
      const theirs = message.nonce ?? "";
      expected = proofOf(file.secret, "process", { theirs: own, own: theirs });
      const proof = proofOf(file.secret, "window", { theirs, own });
      channel.send({ t: "hello", nonce: own, proof, version: options.version, socket: options.socket });
      channel.expect();
    } else if (message.t === "welcome") {
      if (expected === undefined || !isProof(message.proof, expected)) return void socket.destroy();
      // Said here, too, so that a window that has joined knows whether it has the calls.
      if (message.serve === "yes") options.onServe?.();
      welcome.resolve(message.version ?? "");
    } else if (message.t === "serve") options.onServe?.();
    else if (message.t === "freed") freed.resolve();
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
