/** The bytes of base64 text or a base64 data URL; undefined for other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const encoded = /^data:[^,]*;base64,/i.test(text) ? text.slice(text.indexOf(",") + 1) : text;
  if (encoded.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  return Buffer.from(encoded, "base64");
}
