import type { ImageInput } from "../api/endpoints/files.ts";
import type { JsonBody, TextBody } from "./http/reply.ts";
import { badField, Refusal } from "./refusal.ts";
import type { WebSearch } from "./search/webSearch.ts";
import type { ClonedVoices } from "./speech/clonedVoices.ts";
import type { Call, State } from "./state.ts";
import type { Workshop } from "./work/workshop.ts";

/** What the handlers of pictures, speech, documents, pages and search share beside the state. */
export interface Media {
  readonly workshop: Workshop;
  readonly voices: ClonedVoices;
  /** espeak-ng's name or path; undefined to speak in tones. */
  readonly speechProgram: string | undefined;
  readonly search: WebSearch;
}

/** A file as the answer, in the pieces it is made in. */
export interface BytesBody {
  readonly kind: "bytes";
  readonly contentType: string;
  /** Undefined while it is still being made. */
  readonly length: number | undefined;
  readonly pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

export interface MediaReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonBody | TextBody | BytesBody;
}

/** What these handlers read of the state and of a call. */
export type MediaState = Pick<State, "dialect" | "catalog" | "now"> & { readonly media: Media };
export type MediaCall = Pick<Call, "input" | "signal">;
export type MediaHandler = (state: MediaState, call: MediaCall) => MediaReply | Promise<MediaReply>;

/** A file part of a multipart request. */
export type FilePart = Exclude<ImageInput, string>;

/** spec, Other limits; wire.md section 3. */
const mostFileBytes = 25 * 1024 * 1024;

/** A file's content. Throws the refusal of an empty file and of one over 25 MB. */
export async function bytesOf(part: FilePart, path: readonly (string | number)[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of part.open()) {
    size += piece.byteLength;
    if (size > mostFileBytes) throw new Refusal(413, `${path.join(".")}: a file has at most 25 MB`);
    pieces.push(piece);
  }
  if (size === 0) throw badField(path, "The file is empty");
  return Buffer.concat(pieces);
}

export function file(
  bytes: Uint8Array,
  contentType: string,
  headers: Readonly<Record<string, string>> = {},
): MediaReply {
  return {
    status: 200,
    headers,
    body: { kind: "bytes", contentType, length: bytes.byteLength, pieces: [bytes] },
  };
}
