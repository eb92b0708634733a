const characters = "0123456789+-−=()n";
const above = [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"];
const below = [..."₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ"];

/**
 * Text above or below its line, as plain text that is not read as part of the number before it: 10⁶, H₂O. Letters, as
 * in 5th, and other text stay as they are.
 */
export function raisedText(text: string, position: "superscript" | "subscript"): string {
  const signs = position === "superscript" ? above : below;
  const raised = [...text].map((character) => signs[characters.indexOf(character)]);
  return raised.every((sign) => sign !== undefined) ? raised.join("") : text;
}
