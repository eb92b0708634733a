import { isUnspaced } from "./wordEnd.ts";

/** A mark is close to its word. An escape before it, or a parenthesis or a colon behind it, would change its meaning. */
export function gapAroundMark(before: string, after: string): string {
  return /[\\!^]$/.test(before) || /^[(:]/.test(after) ? " " : "";
}

/**
 * A space between two words or links; none behind a bracket, a quote or emphasis that opens, before punctuation, or where words
 * are written without blanks.
 */
export function gapBetween(before: string, after: string): string {
  const isOpening = /(?:^|[\s([{"'“‘«])[*_~=]{1,3}$/.test(before.slice(-5));
  const isGlued = /[^\s([{<«“‘"'/]$/.test(before) && /^[\p{L}\p{N}![(\\`$&]|^<(?!\/)/u.test(after);
  const isChinese = isUnspaced(before.slice(-1)) || isUnspaced(after.slice(0, 1));
  return isGlued && !isOpening && !isChinese ? " " : "";
}
