/** The most common language of a script. */
const scripts: readonly (readonly [script: RegExp, language: string])[] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, "ja"],
  [/\p{Script=Hangul}/u, "ko"],
  [/\p{Script=Han}/u, "cmn"],
  [/\p{Script=Cyrillic}/u, "ru"],
  [/\p{Script=Greek}/u, "el"],
  [/\p{Script=Arabic}/u, "ar"],
  [/\p{Script=Hebrew}/u, "he"],
  [/\p{Script=Devanagari}/u, "hi"],
  [/\p{Script=Thai}/u, "th"],
];
const fallback = "en-us";

/** Names of espeak-ng that differ from the ISO codes. */
const codes: Readonly<Record<string, string>> = { en: "en-us", fr: "fr-fr", zh: "cmn", no: "nb" };

/**
 * The language to speak: that of the hint (an ISO 639-1 code or an English name) if espeak-ng has it, else that of
 * the script (spec E7: unsupported hints are ignored).
 */
export function speechLanguageOf(
  hint: string | undefined,
  text: string,
  spoken: ReadonlySet<string>,
): string {
  const known = hint === undefined ? undefined : named(hint.toLowerCase(), spoken);
  if (known) return known;
  const guess = scripts.find(([script]) => script.test(text))?.[1] ?? fallback;
  return spoken.has(guess) ? guess : fallback;
}

function named(hint: string, spoken: ReadonlySet<string>): string | undefined {
  const code = codes[hint] ?? hint;
  if (spoken.has(code)) return code;
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  return [...spoken].find(
    (language) => /^[a-z]{2,3}(-[a-z]{2,3})?$/.test(language) && nameOf(names, language) === hint,
  );
}

function nameOf(names: Intl.DisplayNames, language: string): string | undefined {
  const plain = Object.entries(codes).find(([, own]) => own === language)?.[0] ?? language;
  return names.of(plain)?.toLowerCase();
}
