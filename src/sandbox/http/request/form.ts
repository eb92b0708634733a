import { Busboy } from "@fastify/busboy";
import { badField, Refusal } from "../../refusal.ts";
import { type FilePart, filePart } from "./filePart.ts";

/** The members of a form: texts and files. */
export type FormMembers = Readonly<Record<string, string | FilePart>>;

/** Files over 25 MB get a 413 (spec E9; wire.md section 3). */
export const maxFormFileBytes = 25 * 1024 * 1024;
/** More members than any row has. */
const maxParts = 64;

/** Reads a form while it arrives. */
export interface FormReader {
  write(piece: Buffer): void;
  /** Throws a Refusal if the form is invalid or too large. */
  end(): Promise<FormMembers>;
}

/** Reads multipart/form-data (RFC 7578). Throws a 400 if the content type has no boundary. */
export function createFormReader(contentType: string): FormReader {
  const members = new Map<string, string | FilePart>();
  const over = Promise.withResolvers<void>();
  let refusal: Refusal | undefined;
  const refuse = (reason: Refusal) => {
    refusal ??= reason;
    over.resolve();
  };
  const add = (name: string | undefined, value: string | FilePart) => {
    if (name === undefined) refuse(malformed());
    else if (members.has(name)) refuse(badField([name], "Sent more than once in the form"));
    else members.set(name, value);
  };
  const parser = open(contentType);
  parser.on("field", (name, value, _nameCut, valueCut) => {
    if (valueCut) refuse(new Refusal(413, `${name}: the text is too long`));
    add(name, value);
  });
  parser.on("file", (name, stream, fileName, _encoding, type) => {
    const pieces: Buffer[] = [];
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.on("limit", () => refuse(tooLarge(name)));
    stream.on("error", () => refuse(malformed()));
    stream.on("end", () => add(name, filePart(fileName ?? "", type, pieces)));
  });
  parser.on("partsLimit", () => refuse(new Refusal(413, `The form has more than ${maxParts} parts`)));
  parser.on("finish", () => over.resolve());
  parser.on("error", () => refuse(malformed()));
  return {
    write(piece) {
      // Discards the rest after an error, so that the caller can read the reply.
      if (!refusal) parser.write(piece);
    },
    async end() {
      if (!refusal) {
        parser.end();
        await over.promise;
      }
      if (refusal) throw refusal;
      return Object.fromEntries(members);
    },
  };
}

function open(contentType: string) {
  try {
    const limits = { fileSize: maxFormFileBytes, parts: maxParts };
    return new Busboy({ headers: { "content-type": contentType }, limits });
  } catch {
    throw malformed();
  }
}

function tooLarge(name: string): Refusal {
  return new Refusal(413, `${name}: the file is over ${maxFormFileBytes / 1024 / 1024} MB`);
}

function malformed(): Refusal {
  return new Refusal(400, "The request body is not valid multipart/form-data");
}
