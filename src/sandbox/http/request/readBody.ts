import type { IncomingMessage } from "node:http";
import { isMembers } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { Refusal } from "../../refusal.ts";
import { createFormReader, type FormMembers } from "./form.ts";

/** Bodies over 35 MB get a 413 (wire.md section 3). */
const maxBodyBytes = 35_000_000;
/** A refused request's body up to this size is read, so that the connection can be reused. */
const maxPassedBytes = 65_536;
/** A client that is still sending could miss the reply. Up to this many bytes are read and discarded. */
const maxLingerBytes = 64_000_000;
/** Idle time limit of such a client in milliseconds. */
const lingerMs = 5_000;

/** A request's body, parsed as far as possible without its route. */
export type RequestBody =
  /** `value` is undefined if the text is not JSON. */
  | { readonly kind: "text"; readonly text: string; readonly value: unknown }
  | { readonly kind: "form"; readonly members: FormMembers }
  /** The body was discarded. */
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface BodyReader {
  write(piece: Buffer): void;
  end(): RequestBody | Promise<RequestBody>;
}

/** Reads the whole body. Returns a refusal if it is too large. Throws if the client closes the connection. */
export async function readBody(message: IncomingMessage): Promise<RequestBody> {
  let reader = readerFor(message.headers["content-type"] ?? "");
  const isWhole = await readAtMost(message, maxBodyBytes, (piece) => reader.write(piece));
  if (!isWhole) reader = refusing(tooLarge());
  return reader.end();
}

/** For a request that was refused before its body. Discards the body. */
export async function discardBody(message: IncomingMessage, refusal: Refusal): Promise<RequestBody> {
  // A client that waits for 100 Continue sends no body.
  if (message.headers.expect === undefined) await readAtMost(message, maxPassedBytes, () => {});
  return { kind: "refused", refusal };
}

/**
 * Once the answer to a body that was not read to its end is written: tells the caller that nothing more comes, and lets
 * by what it is sending meanwhile. To close at once would take the answer from it.
 */
export async function linger(message: IncomingMessage): Promise<void> {
  message.socket.setTimeout(lingerMs);
  message.socket.end();
  await readAtMost(message, maxLingerBytes, () => {}).catch(() => {});
}

/** True if the body ended within this many bytes. */
async function readAtMost(
  message: IncomingMessage,
  bytes: number,
  take: (piece: Buffer) => void,
): Promise<boolean> {
  let size = 0;
  for await (const piece of message.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > bytes) return false;
    take(piece);
  }
  return true;
}

/** The members of a JSON or form body. */
export function bodyMembers(body: RequestBody): Readonly<Record<string, unknown>> {
  if (body.kind === "form") return body.members;
  return body.kind === "text" && isMembers(body.value) ? body.value : {};
}

function readerFor(contentType: string): BodyReader {
  return /^multipart\/form-data\b/i.test(contentType) ? formReader(contentType) : textReader();
}

function textReader(): BodyReader {
  const pieces: Buffer[] = [];
  return {
    write: (piece) => pieces.push(piece),
    end() {
      const text = Buffer.concat(pieces).toString("utf8");
      return { kind: "text", text, value: parseJson(text) };
    },
  };
}

function formReader(contentType: string): BodyReader {
  try {
    const form = createFormReader(contentType);
    return { write: (piece) => form.write(piece), end: () => form.end().then(toForm, toRefused) };
  } catch (error) {
    return refusing(error);
  }
}

/** Discards the body. */
function refusing(reason: unknown): BodyReader {
  return { write: () => {}, end: () => toRefused(reason) };
}

function toForm(members: FormMembers): RequestBody {
  return { kind: "form", members };
}

function toRefused(reason: unknown): RequestBody {
  if (reason instanceof Refusal) return { kind: "refused", refusal: reason };
  throw reason;
}

function tooLarge(): Refusal {
  return new Refusal(413, `The request body is over ${maxBodyBytes / 1_000_000} MB`);
}
