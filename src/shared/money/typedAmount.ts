/**
 * A typed amount as digits with a decimal point: `0.25`, and `0,25` as it is written in many languages, are `0.25`.
 * Undefined for other texts, and for `1,000`, which is a thousand in some languages and one in others.
 */
export function typedAmount(text: string): string | undefined {
  const typed = text.trim();
  if (!/^(?=[.,]?\d)\d*(?:[.,]\d+)?$/.test(typed) || /^[1-9]\d*,\d{3}$/.test(typed)) return undefined;
  return typed.replace(",", ".").replace(/^\./, "0.");
}
