const above: ReadonlyMap<string, string> = pairs(
  "0123456789+-−=()abcdefghijklmnoprstuvwxyz",
  "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ",
);
const below: ReadonlyMap<string, string> = pairs(
  "0123456789+-−=()aehijklmnoprstuvx",
  "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ",
);
/** Endings of ordinal numbers, which are read the same on the line. */
const ordinals = /^(?:st|nd|rd|th|e|er|re|ère|ème|o|a|os|as)$/i;
const maxLetters = 3;

/**
 * Text above or below its line, as plain text that is not read as part of the number before it: 10⁶, H₂O, 2ˣ. What
 * Unicode has no letters for is marked, as in 10^(2.5). Ordinals, as in 5th, and long texts stay as they are.
 */
export function raisedText(text: string, position: "superscript" | "subscript"): string {
  const trimmed = text.trim();
  const hasDigit = /\d/.test(trimmed);
  const isShort = hasDigit || ([...trimmed].length <= maxLetters && /^[\p{Ll}\p{N}+\-−=()]+$/u.test(trimmed));
  if (trimmed === "" || !isShort || (position === "superscript" && ordinals.test(trimmed))) return text;
  const signs = position === "superscript" ? above : below;
  const raised = [...trimmed].map((character) => signs.get(character));
  const shown = raised.every((sign) => sign !== undefined) ? raised.join("") : marked(trimmed, position);
  return text.replace(trimmed, () => shown);
}

function marked(text: string, position: "superscript" | "subscript"): string {
  const sign = position === "superscript" ? "^" : "_";
  return [...text].length === 1 ? `${sign}${text}` : `${sign}(${text})`;
}

function pairs(from: string, to: string): ReadonlyMap<string, string> {
  const targets = [...to];
  return new Map([...from].map((character, index) => [character, targets[index] ?? character]));
}
