import { oggChecksum } from "../../../shared/oggChecksum.ts";

/** What a page says of its place in the stream. */
type PagePlace = "first" | "middle" | "last";

/** Puts packets into the pages of one Ogg stream (RFC 3533). */
export interface OggPages {
  /** `position` is that of the end of the last packet. At most 40 packets of 1,500 bytes fit. */
  write(packets: readonly Uint8Array[], position: number, place: PagePlace): Uint8Array;
}

const flags: Readonly<Record<PagePlace, number>> = { first: 2, middle: 0, last: 4 };
const headBytes = 27;

export function createOggPages(serial: number): OggPages {
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
