import { type IncomingMessage, request } from "node:http";

/** A local server did not answer. The message follows the server's name in a sentence. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

export interface ServerQuestion {
  readonly url: string;
  /** Sent as JSON with POST. Without a body the request is a GET. */
  readonly body?: unknown;
  /** Closes the socket, also while the response is read. */
  readonly signal: AbortSignal;
  /** Idle time limit of the socket in milliseconds. */
  readonly idleMs: number;
}

export interface ServerAnswer {
  readonly status: number;
  readonly contentType: string;
  /** Throws NoAnswer if the server closes the connection early. Leaving the loop closes the socket. */
  readonly pieces: AsyncIterable<Buffer>;
}

/** One request on its own socket. Redirects are not followed. Throws NoAnswer or the signal's reason. */
export async function askServer({ url, body, signal, idleMs }: ServerQuestion): Promise<ServerAnswer> {
  signal.throwIfAborted();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const message = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      accept: "application/json, text/event-stream",
      ...(text === undefined
        ? {}
        : { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) }),
    };
    const method = text === undefined ? "GET" : "POST";
    const sent = request(url, { method, headers, agent: false, signal }, resolve);
    sent.setTimeout(idleMs, () => sent.destroy(new NoAnswer(`did not answer within ${idleMs / 1000} s`)));
    sent.on("error", reject);
    sent.end(text);
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw toNoAnswer(error);
  });
  return {
    status: message.statusCode ?? 0,
    contentType: message.headers["content-type"] ?? "",
    pieces: piecesOf(message, signal),
  };
}

async function* piecesOf(message: IncomingMessage, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    for await (const piece of message) yield piece as Buffer;
  } catch (error) {
    signal.throwIfAborted();
    throw toNoAnswer(error);
  } finally {
    message.destroy();
  }
}

/** The whole response as text. Throws if it is larger than the limit. */
export async function serverAnswerText({ pieces }: ServerAnswer, mostBytes: number): Promise<string> {
  const stored: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.byteLength;
    if (size > mostBytes) throw new NoAnswer(`answered with more than ${mostBytes / 1e6} MB`);
    stored.push(piece);
  }
  return Buffer.concat(stored).toString("utf8");
}

function toNoAnswer(error: unknown): NoAnswer {
  if (error instanceof NoAnswer) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ECONNREFUSED") return new NoAnswer("is not running: the connection was refused");
  return new NoAnswer(code === "ECONNRESET" ? "closed the connection" : `failed (${code})`);
}
