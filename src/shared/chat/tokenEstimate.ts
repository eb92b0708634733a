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
