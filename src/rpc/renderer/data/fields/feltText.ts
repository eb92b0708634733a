/** Decodes a Cairo short string, which is a number with one byte per character; undefined for other numbers. */
export function feltText(whole: bigint): string | undefined {
  const digits = whole.toString(16);
  const bytes = (digits.length % 2 ? `0${digits}` : digits).match(/../g) ?? [];
  const codes = bytes.map((byte) => Number.parseInt(byte, 16));
  const isText = codes.length > 1 && codes.length <= 31 && codes.every((code) => code >= 32 && code < 127);
  return isText ? String.fromCharCode(...codes) : undefined;
}
