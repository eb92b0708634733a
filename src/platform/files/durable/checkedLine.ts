import { crc32 } from "node:zlib";

/**
 * A line of JSON with a checksum: the last member of an object, the last element of a list. Readers that don't know it read
 * the line as before. A value of another kind has none.
 */
export function withChecksum(line: string): string {
  if (line.length <= 2) return line;
  if (line.endsWith("}")) return `${line.slice(0, -1)},"crc":"${checksum(line)}"}`;
  return line.endsWith("]") ? `${line.slice(0, -1)},"crc:${checksum(line)}"]` : line;
}

const tail = /,"crc(?:":"|:)([0-9a-f]{8})"([}\]])$/;
const tailLength = 18;

/**
 * The line as it was before its checksum was added; undefined if a byte has changed since. `isChecked` is false for a line
 * without a checksum, which an older version has written, or which was cut off.
 */
export function checkedLine(
  text: string,
): { readonly line: string; readonly isChecked: boolean } | undefined {
  const [end, sum, close] = tail.exec(text.slice(-tailLength)) ?? [];
  if (end === undefined) return { line: text, isChecked: false };
  const line = `${text.slice(0, -end.length)}${close}`;
  return checksum(line) === sum ? { line, isChecked: true } : undefined;
}

function checksum(line: string): string {
  return crc32(line).toString(16).padStart(8, "0");
}
