import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";
import { createFormReader, type FormMembers } from "./form.ts";

/** Bodies over 35 MB get a 413 (wire.md section 3). */
export const maxBodyBytes = 35_000_000;
/** A caller in the middle of sending would miss a refusal: so much is read and thrown away first. */
const maxDrainedBytes = 8 * maxBodyBytes;

/** A request's body as far as it can be read without knowing its route. */
export type Body =
  /** `value` is undefined where the text is no JSON. */
  | { readonly kind: "text"; readonly text: string; readonly value: unknown }
  | { readonly kind: "form"; readonly members: FormMembers }
  /** It was not kept. */
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface BodyReader {
  write(piece: Buffer): void;
  end(): Body | Promise<Body>;
}

/** The whole body. Throws when the caller hangs up. */
export async function readBody(message: IncomingMessage): Promise<Body> {
  let reader = readerFor(message.headers["content-type"] ?? "");
  let size = 0;
  for await (const piece of message as AsyncIterable<Buffer>) {
    size += piece.byteLength;
    if (size > maxBodyBytes) reader = refusing(tooLarge());
    reader.write(piece);
    if (size > maxDrainedBytes) break;
  }
  return reader.end();
}

/** The members that a body has, whatever it is in. */
export function membersOf(body: Body): Readonly<Record<string, unknown>> {
  if (body.kind === "form") return body.members;
  return body.kind === "text" && isMembers(body.value) ? body.value : {};
}

export function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The body as the log shows it; of files no more than name, type and size. */
export function bodyText(body: Body): string {
  if (body.kind === "text") return body.text;
  if (body.kind === "refused") return "";
  return JSON.stringify(body.members, (key, value) => (key === "head" ? undefined : value));
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

/** Reads on and keeps nothing. */
function refusing(reason: unknown): BodyReader {
  return { write: () => {}, end: () => toRefused(reason) };
}

function toForm(members: FormMembers): Body {
  return { kind: "form", members };
}

function toRefused(reason: unknown): Body {
  if (reason instanceof Refusal) return { kind: "refused", refusal: reason };
  throw reason;
}

function tooLarge(): Refusal {
  return new Refusal(413, `The request body is over ${maxBodyBytes / 1_000_000} MB`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
