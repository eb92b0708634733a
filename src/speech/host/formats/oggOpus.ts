import { joinBytes, latin1, viewOf } from "../../../shared/bytes.ts";
import { oggChecksum } from "../../../shared/sound/oggChecksum.ts";

interface OpusFile {
  readonly head: Uint8Array;
  readonly tags: Uint8Array;
  readonly packets: readonly Uint8Array[];
  /** Playable samples at 48 kHz, including the pre-skip. */
  readonly end: number;
}

const pageHeadBytes = 27;
const packetsPerPage = 40;
const segmentsPerPage = 255;

/**
 * Joins Ogg Opus files (RFC 7845): their packets in one stream with new granule positions. Undefined if one of them is
 * invalid, or has a different channel layout than the first.
 */
export function joinOpus(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  const read = files.map(readOpus);
  const parsed = read.flatMap((file) => file ?? []);
  const [first] = parsed;
  if (!first || parsed.length !== files.length) return undefined;
  // Byte 9 is the channel count; the channel mapping starts at byte 18.
  const channels = (file: OpusFile) => `${file.head[9]}/${file.head.subarray(18).join()}`;
  if (parsed.some((file) => channels(file) !== channels(first))) return undefined;
  const pages = createPages();
  pages.write([first.head], 0, "first");
  pages.write([first.tags], 0, "middle");
  let position = 0;
  parsed.forEach((file, index) => {
    const isLastFile = index === parsed.length - 1;
    const before = position;
    for (let at = 0; at < file.packets.length; at += packetsPerPage) {
      const packets = file.packets.slice(at, at + packetsPerPage);
      position += packets.reduce((sum, packet) => sum + samplesOf(packet), 0);
      const isLast = isLastFile && at + packetsPerPage >= file.packets.length;
      // Only the last page may end before its packets do.
      pages.write(
        packets,
        isLast ? Math.min(position, before + file.end) : position,
        isLast ? "last" : "middle",
      );
    }
  });
  return pages.bytes();
}

function readOpus(bytes: Uint8Array): OpusFile | undefined {
  const packets: Uint8Array[] = [];
  const view = viewOf(bytes);
  let pending: Uint8Array[] = [];
  let end = 0;
  let at = 0;
  while (at + pageHeadBytes <= bytes.length && latin1(bytes, at, at + 4) === "OggS") {
    const position = view.getBigInt64(at + 6, true);
    if (position >= 0n) end = Number(position);
    const lacing = bytes.subarray(at + pageHeadBytes, at + pageHeadBytes + (bytes[at + 26] ?? 0));
    at += pageHeadBytes + lacing.length;
    for (const length of lacing) {
      pending.push(bytes.subarray(at, at + length));
      at += length;
      if (length === 255) continue;
      packets.push(joinBytes(pending));
      pending = [];
    }
  }
  const [head, tags, ...sound] = packets;
  if (!head || !tags || sound.length === 0 || latin1(head, 0, 8) !== "OpusHead") return undefined;
  return { head, tags, packets: sound, end };
}

/** Samples at 48 kHz of a packet, by its first bytes (RFC 6716, 3.1). */
function samplesOf(packet: Uint8Array): number {
  const [toc = 0, count = 0] = packet;
  const config = toc >> 3;
  const silk = [480, 960, 1920, 2880];
  const perFrame =
    config < 12
      ? (silk[config & 3] ?? 0)
      : config < 16
        ? (config & 1) === 0
          ? 480
          : 960
        : 120 << (config & 3);
  const code = toc & 3;
  return perFrame * (code === 0 ? 1 : code === 3 ? count & 0x3f : 2);
}

const flags = { first: 2, middle: 0, last: 4 } as const;

/** Writes the pages of one stream (RFC 3533). */
function createPages() {
  const pages: Uint8Array[] = [];
  const writePage = (packets: readonly Uint8Array[], position: number, place: keyof typeof flags) => {
    const lacing = packets.flatMap((packet) => lacingOf(packet.length));
    const head = new Uint8Array(pageHeadBytes);
    const view = viewOf(head);
    head.set(new TextEncoder().encode("OggS"), 0);
    view.setUint8(5, flags[place]);
    view.setBigInt64(6, BigInt(position), true);
    view.setUint32(14, 1, true);
    view.setUint32(18, pages.length, true);
    view.setUint8(26, lacing.length);
    const page = joinBytes([head, new Uint8Array(lacing), ...packets]);
    viewOf(page).setUint32(22, oggChecksum(page), true);
    pages.push(page);
  };
  return {
    write(packets: readonly Uint8Array[], position: number, place: keyof typeof flags) {
      const total = packets.reduce((sum, { length }) => sum + lacingOf(length).length, 0);
      if (total <= segmentsPerPage || packets.length === 1) return writePage(packets, position, place);
      // Too much for one page: it is split, and the first half ends at a packet boundary.
      const half = Math.ceil(packets.length / 2);
      const later = packets.slice(half).reduce((sum, packet) => sum + samplesOf(packet), 0);
      this.write(packets.slice(0, half), Math.max(0, position - later), "middle");
      this.write(packets.slice(half), position, place);
    },
    bytes: () => joinBytes(pages),
  };
}

function lacingOf(length: number): number[] {
  return [...Array<number>(Math.floor(length / 255)).fill(255), length % 255];
}
