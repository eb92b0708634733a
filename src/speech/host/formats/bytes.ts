export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Decodes one character per byte. */
export function latin1(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}

/** The end of an ID3v2 tag at the start, else 0. */
export function afterId3(bytes: Uint8Array): number {
  if (bytes.length < 10 || latin1(bytes, 0, 3) !== "ID3") return 0;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | ((bytes[at] ?? 0) & 0x7f), 0);
  const footer = ((bytes[5] ?? 0) & 0x10) === 0 ? 0 : 10;
  return Math.min(bytes.length, 10 + size + footer);
}
