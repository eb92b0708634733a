import type { DialectId } from "../api/dialect.ts";
import type { DocsLibrary } from "./docs/library.ts";
import type { Ids } from "./ids.ts";
import type { Media } from "./media.ts";
import { createWebSearch } from "./search/webSearch.ts";
import { createUploadedVoices, handlePrefixes } from "./speech/clonedVoices.ts";
import { createWorkerPool } from "./work/workerPool.ts";

export interface MediaOptions {
  readonly dialect: DialectId;
  readonly library: DocsLibrary;
  readonly ids: Ids;
  /** Folders whose text files are searched beside the documentation. */
  readonly folders?: readonly string[];
  /** espeak-ng's name or path, or undefined to speak in tones; default `espeak-ng`. */
  readonly speechProgram?: string | undefined;
}

/** Nothing is loaded, read or started before the first call that needs it. */
export function createMedia(options: MediaOptions): Media {
  const { dialect, library, ids, folders = [] } = options;
  const workerPool = createWorkerPool();
  return {
    workerPool,
    search: createWebSearch(library, folders, workerPool),
    voices: createUploadedVoices(handlePrefixes[dialect], () => ids.hex(24)),
    speechProgram: "speechProgram" in options ? options.speechProgram : "espeak-ng",
  };
}
