import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Socket } from "node:net";
import { createLineReader } from "../../shared/lineReader.ts";
import { isMembers } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";

// Messages between the process at the gateway's port and a window, over the private socket of the process: JSON, one
// message a line. The process sends `challenge` first, the window `hello` with its proof, and the process `welcome` with
// its own. After an update a process speaks with windows of another version, so that members are only added.

/** `t` is its kind. All members are texts. */
export type LinkMessage = Readonly<Record<string, string>> & { readonly t: string };

/** UTF-16 code units of a line. */
const longestLine = 10_000;
/** A side that does not answer in this time is not what it seems. */
const answerMs = 5_000;

/** How the process is started: JSON in one environment variable. None of it is a secret. */
export interface AddressStart {
  /** Absolute path of the folder of the gateway's files. */
  readonly folder: string;
  readonly port: number;
  readonly version: string;
  /** Milliseconds for which a call waits for a window. */
  readonly holdMs: number;
  /** Milliseconds after which a process without a window ends. */
  readonly aloneMs: number;
}
export const startVariable = "INFERENCE_GATEWAY_ADDRESS";

/**
 * Reads messages from a socket, and writes others. The socket is destroyed after a line that is no message, and by `expect`
 * if the next one takes too long.
 */
export class LinkChannel {
  readonly #socket: Socket;
  #timeout: NodeJS.Timeout | undefined;

  constructor(socket: Socket, receive: (message: LinkMessage) => void) {
    this.#socket = socket;
    const read = createLineReader(longestLine, (line) => {
      this.#settle();
      const message = toMessage(line);
      if (message) receive(message);
      else socket.destroy();
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      if (!read(chunk)) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#settle());
  }

  send(message: LinkMessage): void {
    if (!this.#socket.destroyed) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** The other side has to say something in a few seconds. */
  expect(): void {
    this.#settle();
    this.#timeout = setTimeout(() => this.#socket.destroy(), answerMs);
  }

  #settle(): void {
    clearTimeout(this.#timeout);
  }
}

function toMessage(line: string): LinkMessage | undefined {
  const value = parseJson(line);
  return isMessage(value) ? value : undefined;
}

function isMessage(value: unknown): value is LinkMessage {
  return (
    isMembers(value) &&
    typeof value.t === "string" &&
    Object.values(value).every((one) => typeof one === "string")
  );
}

export function newNonce(): string {
  return randomBytes(24).toString("base64url");
}

/** What one side shows of the secret. It differs by side and by the nonces of both, so that none can be shown again. */
export function proofOf(
  secret: string,
  side: "process" | "window",
  { theirs, own }: { readonly theirs: string; readonly own: string },
): string {
  return createHmac("sha256", secret)
    .update(JSON.stringify([side, theirs, own]))
    .digest("hex");
}

export function isProof(given: string | undefined, expected: string): boolean {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(expected)];
  return one.byteLength === other.byteLength && timingSafeEqual(one, other);
}

/** True if this version is an earlier one. */
export function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
