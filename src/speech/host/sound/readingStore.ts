import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { readTextIfThere, writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { makeFolder } from "../../../platform/files/privateFiles.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { SpeechChoice } from "../../protocol/speechProtocol.ts";

const offset = z.int().min(0);
const StoredReading = z.object({
  v: z.literal(1),
  id: z.string().regex(/^\d{15}-[0-9a-f]{8}$/),
  /** Unix time in milliseconds. */
  atMs: z.number(),
  title: z.string(),
  /** Its document; absent for a text without one. */
  uri: z.string().optional(),
  sentences: z.array(
    z.object({
      text: z.string(),
      from: offset,
      to: offset,
      startsBlock: z.boolean(),
      startsHeading: z.literal(true).optional(),
    }),
  ),
  passages: z.array(z.object({ first: offset, last: offset })),
  choice: SpeechChoice,
  /** The current sentence. */
  index: offset,
});
/** An earlier reading. Its sounds are stored separately. */
export type StoredReading = z.infer<typeof StoredReading>;

export interface ReadingStore {
  /** Newest first. Invalid files are skipped and not changed. */
  list(): Promise<readonly StoredReading[]>;
  put(reading: StoredReading): Promise<void>;
}

const mostStored = 50;
const fileName = /^\d{15}-[0-9a-f]{8}\.json$/;

export function newReadingId(nowMs: number): string {
  return `${String(nowMs).padStart(15, "0")}-${crypto.randomUUID().slice(0, 8)}`;
}

/** `folder` is absolute. */
export function createReadingStore(folder: string): ReadingStore {
  const names = async () => {
    await makeFolder(folder);
    return (await readdir(folder))
      .filter((name) => fileName.test(name))
      .sort()
      .reverse();
  };
  return {
    async list() {
      const texts = await Promise.all((await names()).map((name) => readTextIfThere(join(folder, name))));
      return texts.flatMap((text) => toStoredReading(text ?? "") ?? []);
    },
    async put(reading) {
      await writeDurably(join(folder, `${reading.id}.json`), JSON.stringify(reading));
      for (const name of (await names()).slice(mostStored)) await unlink(join(folder, name));
    },
  };
}

function toStoredReading(text: string): StoredReading | undefined {
  return StoredReading.safeParse(parseJson(text)).data;
}
