import type { Duplex } from "node:stream";

/** Bytes of one interim answer, as Node.js allows for a head. */
const maxHeadBytes = 16 * 1024;
const statusBytes = "HTTP/1.1 100 ".length;

/**
 * Skips the interim answers (1xx) in front of the next answer of a connection, asked for or not (RFC 9110, 15.2). Undici
 * closes the connection at an unasked `100 Continue`, although the request may be billed. Called once a request is written
 * to the connection and nothing of its answer is read: undici reads by `read()`, and has one request at a time on a
 * connection. The socket is as before once the answer itself begins.
 */
export function skipInterimAnswers(socket: Duplex & { readonly alpnProtocol?: unknown }): void {
  if (socket.alpnProtocol === "h2" || Object.hasOwn(socket, "read")) return;
  let held: Buffer = Buffer.alloc(0);
  const restore = () => Reflect.deleteProperty(socket, "read");
  const read = (): Buffer | null => {
    for (;;) {
      const prototype = Object.getPrototypeOf(socket) as Duplex;
      const piece: unknown = prototype.read.call(socket);
      if (!Buffer.isBuffer(piece)) return null;
      held = withoutInterim(held.length === 0 ? piece : Buffer.concat([held, piece]));
      if (mayBeInterim(held)) continue;
      restore();
      return held;
    }
  };
  Object.defineProperty(socket, "read", { value: read, configurable: true, writable: true });
}

/** The bytes after all interim answers that are complete. */
function withoutInterim(bytes: Buffer): Buffer {
  let rest = bytes;
  while (isInterim(rest)) {
    const end = /\r?\n\r?\n/.exec(rest.toString("latin1", 0, maxHeadBytes));
    if (!end) break;
    rest = rest.subarray(end.index + end[0].length);
  }
  return rest;
}

/** True until enough has arrived to know that the answer itself begins. */
function mayBeInterim(bytes: Buffer): boolean {
  if (bytes.length < statusBytes) return "HTTP/1.".startsWith(bytes.toString("latin1", 0, 7));
  return isInterim(bytes) && bytes.length < maxHeadBytes;
}

/** 101 ends HTTP on the connection: it is an answer. */
function isInterim(bytes: Buffer): boolean {
  return /^HTTP\/1\.\d 1(?!01)\d\d[ \r\n]/.test(bytes.toString("latin1", 0, statusBytes));
}
