const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
};
/**
 * Converts text that may contain HTML (wire.md section 7) to one plain line of at most `mostCharacters`: removes tags,
 * decodes entities. Linear in the text.
 */
export function htmlToLine(html: string, mostCharacters = 4_000): string {
  return html
    .slice(0, mostCharacters * 4)
    .replace(/<(script|style)\b[^<>]*>[^<]*<\/\1>/gi, " ")
    .replace(/<\/?(?:p|div|br|li|ul|ol|tr|td|h[1-6])\b[^<>]*>/gi, " ")
    .replace(/<\/?[a-z!][^<>]*>/gi, "")
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => characterOf(name) ?? whole)
    .replace(/[\s\p{Cc}\u200b\u2028-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, mostCharacters);
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith("#")) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
