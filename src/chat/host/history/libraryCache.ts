import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readTextIfThere, writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { readSegment, type SearchSegment } from "./search/searchSegment.ts";
import { Summary } from "./summary.ts";

const Cached = z.object({
  v: z.literal(1),
  conversations: z.array(z.object({ stamp: z.string(), summary: Summary })),
});
export type CachedSummary = z.infer<typeof Cached>["conversations"][number];

/** A cache of the logs, so that not all of them are read at each start. It may be deleted at any time. */
export interface LibraryCache {
  load(): Promise<{ readonly summaries: readonly CachedSummary[]; readonly segments: SearchSegment[] }>;
  saveSummaries(conversations: readonly CachedSummary[]): Promise<void>;
  saveSegment(segment: SearchSegment): Promise<void>;
}

export function createLibraryCache(directory: string): LibraryCache {
  const list = join(directory, "list.json");
  return {
    async load() {
      const [summaries, segments] = await Promise.all([loadSummaries(list), loadSegments(directory)]);
      return { summaries, segments };
    },
    saveSummaries: (conversations) => writeDurably(list, JSON.stringify({ v: 1, conversations })),
    async saveSegment({ bytes }) {
      await writeDurably(join(directory, `${Date.now()}-${randomUUID().slice(0, 8)}.terms`), bytes);
    },
  };
}

async function loadSummaries(path: string): Promise<readonly CachedSummary[]> {
  try {
    const cached = Cached.safeParse(JSON.parse((await readTextIfThere(path)) ?? ""));
    return cached.success ? cached.data.conversations : [];
  } catch {
    return [];
  }
}

/** Oldest first: a newer segment overrides older ones. Mostly outdated segments are deleted. */
async function loadSegments(directory: string): Promise<SearchSegment[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(".terms")).sort();
  const read = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      return { path, segment: readSegment(await readFile(path).catch(() => Buffer.alloc(0))) };
    }),
  );
  const newest = new Map<string, SearchSegment>();
  for (const { segment } of read) {
    if (segment) for (const { id } of segment.documents) newest.set(id, segment);
  }
  const segments: SearchSegment[] = [];
  for (const { path, segment } of read) {
    const live = segment?.documents.filter(({ id }) => newest.get(id) === segment).length ?? 0;
    // The live documents of a mostly dead segment are read from the logs again, into a newer segment.
    if (segment && live * 2 > segment.documents.length) segments.push(segment);
    else await rm(path, { force: true });
  }
  return segments;
}
