import { joinBytes, latin1 } from "../../../shared/bytes.ts";
import { afterId3 } from "./bytes.ts";

const bitrates = {
  /** kbit/s of layer III: MPEG 1; MPEG 2 and 2.5. */
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const rates = [44_100, 48_000, 32_000] as const;

/** Length of the MP3 frame at this offset, else 0. */
function mp3FrameBytes(bytes: Uint8Array, at: number): number {
  const [sync, kind = 0, options = 0] = bytes.subarray(at, at + 3);
  if (sync !== 0xff || (kind & 0xe6) !== 0xe2) return 0;
  const version = (kind >> 3) & 3;
  const rate = rates[(options >> 2) & 3];
  const isMpeg1 = version === 3;
  const kilobits = (isMpeg1 ? bitrates.mpeg1 : bitrates.mpeg2)[options >> 4];
  if (version === 1 || rate === undefined || !kilobits) return 0;
  const hertz = rate / (isMpeg1 ? 1 : version === 2 ? 2 : 4);
  return Math.floor(((isMpeg1 ? 144_000 : 72_000) * kilobits) / hertz) + ((options >> 1) & 1);
}

/** Length of the AAC ADTS frame at this offset, else 0. */
function adtsFrameBytes(bytes: Uint8Array, at: number): number {
  const [sync, kind = 0, , a = 0, b = 0, c = 0] = bytes.subarray(at, at + 6);
  if (sync !== 0xff || (kind & 0xf6) !== 0xf0) return 0;
  return ((a & 3) << 11) | (b << 3) | (c >> 5);
}

/** The frames of a file of frames and tags; data between them is dropped. */
function framesOf(bytes: Uint8Array, bytesOfFrame: (bytes: Uint8Array, at: number) => number): Uint8Array[] {
  const frames: Uint8Array[] = [];
  let at = afterId3(bytes);
  while (at < bytes.length) {
    const length = bytesOfFrame(bytes, at);
    if (length > 4 && at + length <= bytes.length) {
      frames.push(bytes.subarray(at, at + length));
      at += length;
    } else at += 1;
  }
  return frames;
}

/** The first frame of many files has metadata, such as the duration, which is wrong for the joined file. */
function isInfoFrame(frame: Uint8Array): boolean {
  return /Xing|Info|VBRI/.test(latin1(frame, 4, Math.min(frame.length, 48)));
}

/** Joins files; undefined if one of them has no frame. */
export function joinMp3(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  return joined(
    files.map((bytes) =>
      framesOf(bytes, mp3FrameBytes).filter((frame, index) => index > 0 || !isInfoFrame(frame)),
    ),
  );
}

export function joinAac(files: readonly Uint8Array[]): Uint8Array<ArrayBuffer> | undefined {
  return joined(files.map((bytes) => framesOf(bytes, adtsFrameBytes)));
}

function joined(files: readonly (readonly Uint8Array[])[]): Uint8Array<ArrayBuffer> | undefined {
  return files.every((frames) => frames.length > 0) ? joinBytes(files.flat()) : undefined;
}
