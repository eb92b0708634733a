/** A CSV field, quoted as RFC 4180 requires. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A CSV field that a spreadsheet does not read as a formula: texts that begin with `=`, `+`, `-`, `@`, a tab or a
 * carriage return get an apostrophe in front. A negative decimal number stays as it is.
 */
export function safeCsvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);
  return csvCell(isFormula ? `'${text}` : text);
}
