/** Only ASCII letters in lower case, so that offsets stay: the lower case of some other letters is longer. */
export function asciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
