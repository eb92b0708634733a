/** Characters of Latin text per token, on average over models. */
const charactersPerToken = 4;
/** A message has a role and delimiters besides the text. */
export const tokensPerMessage = 4;

/**
 * Estimates the tokens of a text. Four Latin letters make a token. Each Han, Kana or Hangul character and each symbol
 * that Latin tokenizers rarely contain counts as one token. Models count differently, so limits need a margin.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2e7f) wide++;
  return Math.ceil((text.length - wide) / charactersPerToken) + wide;
}

/**
 * The pieces that tokenizers make of a text: letters joined to others (as in hexadecimal and base64), words, up to three
 * digits, gaps, single blanks, repeated signs.
 */
const pieces =
  /(\p{Lu}+(?!\p{Ll})|(?<=\d)\p{L}+|(?<=\p{Ll})\p{Lu}\p{Ll}*)|(\p{L}[\p{Ll}\p{M}]*|\p{M}+)|(\d{1,3})|(\s*\n\s*|[^\S\n]+(?=\d)|[^\S\n]{2,})|([^\S\n])|([^\p{L}\d\s])\6*/gu;

/**
 * The tokens of a text, rather too many than too few, for the bounds of what is sent: logs, numbers and encoded data have
 * two or three characters per token. Measured with o200k: code 1.3, logs 1.1, base64 0.9 times the real number.
 */
export function upperTokens(text: string): number {
  let tokens = 0;
  for (const piece of text.matchAll(pieces)) tokens += tokensOfPiece(piece);
  return tokens;
}

function tokensOfPiece([piece, joined, word, digits, gap, blank]: RegExpExecArray): number {
  const code = piece.charCodeAt(0);
  if (code > 0x2e7f) return piece.length;
  if (joined !== undefined) return Math.ceil(piece.length / 2);
  if (word !== undefined) return Math.ceil(piece.length / (code > 0x7f ? 4 : 6));
  if (digits !== undefined) return 1;
  if (gap !== undefined) return Math.ceil(piece.length / 64);
  return blank === undefined ? Math.ceil(piece.length / 16) : 0;
}

/** Estimates the tokens of an image. Models split it into tiles of about 750 pixels per token. */
export function estimateImageTokens(width: number, height: number): number {
  const scale = Math.min(1, 1568 / Math.max(width, height));
  return Math.max(1, Math.ceil((width * scale * height * scale) / 750));
}

/** Estimates the tokens of a part of a request. Images and files don't cost by the length of their encoding. */
export function estimateJsonTokens(value: unknown): number {
  return estimateTokens(JSON.stringify(value, withoutData));
}

function withoutData(_: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith("data:") ? "" : value;
}
