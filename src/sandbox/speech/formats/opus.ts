import { oggChecksum } from "../../../shared/sound/oggChecksum.ts";
import type { AudioEncoder } from "../sound.ts";
import { joinSamples, type Samples, sampleRate, silence } from "../sound.ts";
import { createFrameEncoder } from "./libopus.ts";

const frameSamples = sampleRate / 50;
const framesPerPage = 40;
/** Opus counts time at 48 kHz for any sample rate. */
const ticksPerSample = 48_000 / sampleRate;
/** Samples that a decoder drops at the start: the encoder looks 6.5 ms ahead. */
const preSkip = 0.0065 * sampleRate;

/** Ogg Opus (RFC 7845). */
export async function createOpusEncoder(): Promise<AudioEncoder> {
  const encodeFrame = await createFrameEncoder(sampleRate, frameSamples);
  const pages = createOggPages(1);
  let head = Buffer.concat([pages.write([opusHead()], 0, "first"), pages.write([opusTags()], 0, "middle")]);
  let pending: Samples = silence(0);
  let received = 0;
  let written = 0;
  /** Writes all complete frames. The last page ends with the sound. */
  const drain = (isLast: boolean): Uint8Array => {
    const done: Uint8Array[] = [head];
    head = Buffer.alloc(0);
    while (pending.length >= frameSamples) {
      const count = Math.min(framesPerPage, Math.floor(pending.length / frameSamples));
      const packets = Array.from({ length: count }, (_, index) =>
        encodeFrame(pending.subarray(index * frameSamples, (index + 1) * frameSamples)),
      );
      pending = pending.subarray(count * frameSamples);
      written += count * frameSamples;
      const last = isLast && pending.length === 0;
      const end = last ? received + preSkip : written;
      done.push(pages.write(packets, end * ticksPerSample, last ? "last" : "middle"));
    }
    return Buffer.concat(done);
  };
  return {
    encode(samples) {
      received += samples.length;
      pending = joinSamples([pending, samples]);
      return drain(false);
    },
    finish() {
      const missing = frameSamples - ((pending.length + preSkip) % frameSamples);
      pending = joinSamples([pending, new Int16Array(preSkip + (missing % frameSamples))]);
      return drain(true);
    },
  };
}

function opusHead(): Buffer {
  const head = Buffer.alloc(19);
  head.write("OpusHead", 0, "latin1");
  head.writeUInt8(1, 8);
  head.writeUInt8(1, 9);
  head.writeUInt16LE(preSkip * ticksPerSample, 10);
  head.writeUInt32LE(sampleRate, 12);
  return head;
}

function opusTags(): Buffer {
  const vendor = Buffer.from("sandbox");
  const tags = Buffer.alloc(16 + vendor.length);
  tags.write("OpusTags", 0, "latin1");
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return tags;
}

/** The page's position in the stream. */
type PagePlace = "first" | "middle" | "last";

/** Writes packets as pages of one Ogg stream (RFC 3533). */
interface OggPages {
  /** `position`: the end of the last packet. At most 40 packets of 1,500 bytes fit. */
  write(packets: readonly Uint8Array[], position: number, place: PagePlace): Uint8Array;
}

const flags: Readonly<Record<PagePlace, number>> = { first: 2, middle: 0, last: 4 };
const headBytes = 27;

function createOggPages(serial: number): OggPages {
  let number = 0;
  return {
    write(packets, position, place) {
      const lacing = packets.flatMap(({ length }) => [
        ...Array<number>(Math.floor(length / 255)).fill(255),
        length % 255,
      ]);
      const head = Buffer.alloc(headBytes);
      head.write("OggS", 0, "latin1");
      head.writeUInt8(flags[place], 5);
      head.writeBigUInt64LE(BigInt(position), 6);
      head.writeUInt32LE(serial, 14);
      head.writeUInt32LE(number++, 18);
      head.writeUInt8(lacing.length, 26);
      const page = Buffer.concat([head, Buffer.from(lacing), ...packets]);
      page.writeUInt32LE(oggChecksum(page), 22);
      return page;
    },
  };
}
