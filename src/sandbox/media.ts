import type { DialectId } from "../api/dialect/dialect.ts";
import { type ChargedUsage, requestCharge } from "./billing/ledger/charge.ts";
import type { DocsLibrary } from "./docs/library.ts";
import type { Reply } from "./http/reply.ts";
import type { FilePart } from "./http/request/filePart.ts";
import { badField, Refusal } from "./refusal.ts";
import { createWebSearch, type WebSearch } from "./search/webSearch.ts";
import { createUploadedVoices, handlePrefixes, type UploadedVoices } from "./speech/clonedVoices.ts";
import type { Ids } from "./state/ids.ts";
import type { ServiceCall, State } from "./state/state.ts";
import { createWorkerPool, type WorkerPool } from "./work/workerPool.ts";

/** Shared by the handlers of images, speech, documents, pages and search. */
export interface Media {
  readonly workerPool: WorkerPool;
  readonly voices: UploadedVoices;
  /** Name or path of espeak-ng. Undefined for tones. */
  readonly speechProgram: string | undefined;
  readonly search: WebSearch;
}

/** The parts of state and call that these handlers use. */
export type MediaState = Pick<State, "dialect" | "catalog" | "now" | "billing"> & { readonly media: Media };
export type MediaCall = Pick<ServiceCall, "input" | "signal" | "key" | "requestId">;
export type MediaHandler = (state: MediaState, call: MediaCall) => Reply | Promise<Reply>;

/** spec, Other limits; wire.md section 3. */
const mostFileBytes = 25 * 1024 * 1024;

/** A file's content. Throws a Refusal if it is empty or over 25 MB. */
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
): Reply {
  return {
    status: 200,
    headers,
    body: { kind: "bytes", contentType, length: bytes.byteLength, pieces: [bytes] },
  };
}

/** The caller and the duration of a call, for its charge. */
export function mediaCharge(
  { now }: MediaState,
  { key, requestId }: MediaCall,
  startedMs: number,
): ChargedUsage {
  return { keyId: key?.id ?? null, requestId, executionMs: now() - startedMs };
}

/** spec E2, E4, E9. */
const usdPerRequest = 0.01;

/** Charges a call with a flat price. Called after success, as refused calls are free. */
export function chargeRequest(
  { billing }: MediaState,
  { key }: MediaCall,
  name: "search" | "scrape" | "text-parser",
): void {
  billing.charge(requestCharge({ keyId: key?.id ?? null, name, usd: usdPerRequest }));
}

interface MediaOptions {
  readonly dialect: DialectId;
  readonly library: DocsLibrary;
  readonly ids: Ids;
  /** Name or path of espeak-ng, or undefined for tones; default `espeak-ng`. */
  readonly speechProgram?: string | undefined;
}

/** Loads, reads and starts everything on first use. */
export function createMedia(options: MediaOptions): Media {
  const { dialect, library, ids } = options;
  const workerPool = createWorkerPool();
  return {
    workerPool,
    search: createWebSearch(library),
    voices: createUploadedVoices(handlePrefixes[dialect], () => ids.hex(16)),
    speechProgram: "speechProgram" in options ? options.speechProgram : "espeak-ng",
  };
}
