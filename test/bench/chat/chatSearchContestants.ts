// Contestants of the benchmark `chat-search`, given the folder of the conversations.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLibrary, type Library } from "../../../src/chat/host/history/library.ts";
import type { Prepare } from "../interleave.ts";
import { watchRss } from "../rss.ts";
import { conversations, conversationTexts } from "./chatSearchTexts.ts";

/** Results that the list shows at once. */
const page = 20;

export interface Built {
  readonly ms: number;
  /** The longest time for which the event loop was blocked. */
  readonly blockMs: number;
}

/** The first listing: every log is read and indexed, in slices. */
export const build: Prepare<string> = (folder) => async (): Promise<Built> => {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startMs = performance.now();
  const library = openLibrary(folder);
  await library.complete;
  const ms = performance.now() - startMs;
  delay.disable();
  library.dispose();
  return { ms, blockMs: delay.max / 1e6 };
};

export interface Opened {
  readonly listedMs: number;
  /** Megabytes that the process grew by. */
  readonly grown: number;
}

/** A later listing, from the index. */
export const open: Prepare<string> = (folder) => async (): Promise<Opened> => {
  const rss = watchRss();
  const startMs = performance.now();
  const library = openLibrary(folder);
  await library.listed;
  const listedMs = performance.now() - startMs;
  await library.complete;
  if (library.list().length !== conversations) throw new Error(`${library.list().length} are listed`);
  return { listedMs, grown: rss.stop() };
};

/** Finds the conversations of a query with the snippets of the first page, and returns their number. */
export const ours: Prepare<string, string> = async (folder) => {
  const library = openLibrary(folder);
  await library.complete;
  return async (query) => {
    const found = library.find(query);
    await Promise.all(found.slice(0, page).map(({ id }) => library.snippet(id, query)));
    return found.length;
  };
};

/** Finds them by scanning all texts in memory, without snippets. */
export const scan: Prepare<string, string> = () => {
  // A space before each word.
  const texts = [...conversationTexts()].map((turns) => turns.map((text) => ` ${text}`).join(""));
  return (query) => {
    const words = query.split(" ");
    return texts.filter((text) => words.every((word) => text.includes(` ${word}`))).length;
  };
};

function openLibrary(folder: string): Library {
  return createLibrary({
    directory: folder,
    onChange: () => {},
    report: (error) => {
      throw error;
    },
  });
}
