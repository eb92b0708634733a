/** The named references that answers use; any other stays as it is written. */
const named: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  copy: "©",
  reg: "®",
  trade: "™",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  laquo: "«",
  raquo: "»",
  bull: "•",
  middot: "·",
  times: "×",
  divide: "÷",
  plusmn: "±",
  minus: "−",
  deg: "°",
  micro: "µ",
  para: "¶",
  sect: "§",
  euro: "€",
  pound: "£",
  yen: "¥",
  cent: "¢",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
  harr: "↔",
  lArr: "⇐",
  rArr: "⇒",
  hArr: "⇔",
  le: "≤",
  ge: "≥",
  ne: "≠",
  asymp: "≈",
  equiv: "≡",
  infin: "∞",
  sum: "∑",
  radic: "√",
  frac12: "½",
  frac14: "¼",
  frac34: "¾",
  check: "✓",
  cross: "✗",
  alpha: "α",
  beta: "β",
  gamma: "γ",
  delta: "δ",
  epsilon: "ε",
  lambda: "λ",
  mu: "μ",
  pi: "π",
  sigma: "σ",
  omega: "ω",
  Delta: "Δ",
  Sigma: "Σ",
  Omega: "Ω",
};

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** The character reference at `offset`, if one stands there: what it means and where it ends. */
export function referenceAt(
  source: string,
  offset: number,
): { readonly text: string; readonly end: number } | undefined {
  reference.lastIndex = offset;
  const match = reference.exec(source);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const end = offset + whole.length;
  if (name !== undefined) return named[name] === undefined ? undefined : { text: named[name], end };
  return { text: fromCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)), end };
}

/** `text` with its references replaced. */
export function withoutReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&[#\w]+;/g, (written) => referenceAt(written, 0)?.text ?? written);
}

function fromCode(code: number): string {
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return impossible ? "\ufffd" : String.fromCodePoint(code);
}
