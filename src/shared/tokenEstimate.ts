/** Characters of Latin text to a token, on the average of models. */
const charactersPerToken = 4;
/** A message has a role and its ends beside the text. */
export const tokensPerMessage = 4;

/**
 * About how many tokens a text has. Latin letters come four to a token; of Han, Kana, Hangul and signs that Latin
 * tokenizers know little of, each is taken for one. No model counts exactly like this, so bounds need room to spare.
 */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x2e7f) wide++;
  return Math.ceil((text.length - wide) / charactersPerToken) + wide;
}

/** About what an image of these pixels costs: models cut it into tiles of some 750 pixels a token. */
export function estimateImageTokens(width: number, height: number): number {
  const scale = Math.min(1, 1568 / Math.max(width, height));
  return Math.max(1, Math.ceil((width * scale * height * scale) / 750));
}
