import { format, getFormatDateInfo, getFormatFromId, isDateFormat } from "numfmt";

/** What Excel's built-in formats for dates show depends on the settings of the reader's machine. */
const localDates: ReadonlyMap<number, string> = new Map([
  [14, "yyyy-mm-dd"],
  [22, "yyyy-mm-dd h:mm"],
  // Those of East Asian versions (18.8.30); 32 to 35 and 55, 56 are times.
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, "yyyy-mm-dd"] as const),
]);
/** Days between the two date systems. */
const days1904 = 1462;

export interface NumberFormat {
  readonly code: string;
  readonly isDate: boolean;
  /** It shows a day, month or year, which the date system decides. */
  readonly hasDay: boolean;
}

/** A format by its code, else by the id of a built-in one. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  const known = code ?? localDates.get(id) ?? getFormatFromId(id) ?? "General";
  try {
    const isDate = isDateFormat(known);
    const { year, month, day } = getFormatDateInfo(known);
    return { code: known, isDate, hasDay: isDate && (year || month || day) };
  } catch {
    return { code: "General", isDate: false, hasDay: false };
  }
}

/** A number as a person sees it in its cell. */
export function numberText(value: number, { code, isDate, hasDay }: NumberFormat, is1904: boolean): string {
  if (/^(?:General|Standard|@)$/i.test(code.trim())) return generalText(value);
  const serial = hasDay && is1904 ? value + days1904 : value;
  // There are no dates before the first one. A spreadsheet shows signs without a meaning.
  if (isDate && serial < 0) return generalText(value);
  const fraction = fractionText(value, code);
  if (fraction !== undefined) return fraction;
  try {
    const text = format(code, serial, { dateErrorThrows: true, nbsp: false, fillChar: "" });
    return text.replace(/\s+/g, " ").trim();
  } catch {
    return generalText(value);
  }
}

/**
 * All digits that a spreadsheet keeps. It shows fewer in a narrow column, which is no property of the value, and changes
 * long numbers of articles and accounts into powers of ten.
 */
export function generalText(value: number): string {
  const rounded = Number(value.toPrecision(15));
  if (!Number.isInteger(rounded) || Math.abs(rounded) >= 1e21) return String(rounded);
  return rounded.toLocaleString("en-US", { useGrouping: false, maximumSignificantDigits: 15 });
}

/** `# ?/?`: a whole number and a fraction with so many digits, or with a denominator of its own. */
const fractionCode = /^(#?)\s*[?#0]+\/(?:([?#0]{1,3})|(\d{1,4}))\s*$/;

/** The formatter carries a whole too much for some fractions close to the next one. Undefined for other formats. */
function fractionText(value: number, code: string): string | undefined {
  const [isFraction, hash = "", digits = "", fixed] = fractionCode.exec(code) ?? [];
  if (isFraction === undefined || Math.abs(value) > 1e9) return undefined;
  const whole = hash === "" ? 0 : Math.trunc(Math.abs(value));
  const part = Math.abs(value) - whole;
  const denominator = fixed === undefined ? bestDenominator(part, 10 ** digits.length - 1) : Number(fixed);
  const numerator = Math.round(part * denominator);
  const sign = value < 0 && whole + numerator > 0 ? "-" : "";
  if (numerator === 0) return `${sign}${whole}`;
  if (numerator === denominator && hash !== "") return `${sign}${whole + 1}`;
  return `${sign}${whole > 0 ? `${whole} ` : ""}${numerator}/${denominator}`;
}

function bestDenominator(part: number, max: number): number {
  let best = 1;
  const error = (denominator: number) => Math.abs(part - Math.round(part * denominator) / denominator);
  for (let denominator = 2; denominator <= max; denominator++)
    if (error(denominator) < error(best) - 1e-12) best = denominator;
  return best;
}
