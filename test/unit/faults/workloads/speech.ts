// Sounds that were paid for, and readings that can be gone on with.
import assert from "node:assert/strict";
import { join } from "node:path";
import { createReadingStore, type StoredReading } from "../../../../src/speech/host/sound/readingStore.ts";
import { SoundStore } from "../../../../src/speech/host/sound/soundStore.ts";
import type { Folders, Workload } from "../workload.ts";

const bytes = new Uint8Array(Buffer.from("a sound ".repeat(40)));
const [first, last] = ["a", "b"].map((digit) => digit.repeat(40)) as [string, string];
const reading = (id: string, index: number): StoredReading => ({
  v: 1,
  id,
  atMs: 1,
  title: "A text",
  sentences: [{ text: "One.", from: 0, to: 4, startsBlock: true }],
  passages: [{ first: 0, last: 0 }],
  choice: {
    modelId: "m",
    voice: "v",
    format: "mp3",
    speed: 1,
    language: "",
    style: "",
    temperature: null,
    topP: null,
  },
  index,
});
const [one, other] = ["000000000000001-0000000a", "000000000000002-0000000b"];

function open({ storage }: Folders) {
  return {
    sounds: new SoundStore({ folder: join(storage, "sounds") }),
    readings: createReadingStore(join(storage, "readings")),
  };
}

export const workload: Workload = {
  writers: ["src/speech/host/sound/soundStore.ts", "src/speech/host/sound/readingStore.ts"],
  async run(folders, told) {
    const { sounds, readings } = open(folders);
    await told.step(`sound ${first}`, () => sounds.put(first, { format: "mp3", bytes }));
    await told.step(`reading ${one} 0`, () => readings.put(reading(one ?? "", 0)));
    await told.step(`reading ${one} 1`, () => readings.put(reading(one ?? "", 1)));
    await told.space();
    await told.step(`sound ${last}`, () => sounds.put(last, { format: "mp3", bytes }));
    await told.step(`reading ${other} 0`, () => readings.put(reading(other ?? "", 0)));
  },
  async check(folders, told) {
    const { sounds, readings } = open(folders);
    for (const key of [first, last]) {
      const sound = await sounds.get(key);
      if (sound || told.kept.includes(`sound ${key}`)) assert.deepEqual(sound?.bytes, bytes);
    }
    const found = new Map((await readings.list()).map(({ id, index }) => [id, index]));
    for (const [, id = "", index = ""] of told.kept.flatMap((what) => [
      /^reading (\S+) (\d)$/.exec(what) ?? [],
    ]))
      if (id !== "") assert.ok((found.get(id) ?? -1) >= Number(index), `${id} ${index}`);
  },
};
