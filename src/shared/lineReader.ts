/**
 * Splits a stream of text into lines, in linear time. Returns false after a line above the limit; the caller then closes
 * the stream.
 */
export function createLineReader(
  maxLength: number,
  onLine: (line: string) => void,
): (chunk: string) => boolean {
  let pieces: string[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf("\n", start);
      const piece = end < 0 ? chunk.slice(start) : chunk.slice(start, end);
      length += piece.length;
      if (length > maxLength) return false;
      pieces.push(piece);
      if (end < 0) return true;
      onLine(pieces.join(""));
      pieces = [];
      length = 0;
      start = end + 1;
    }
  };
}
