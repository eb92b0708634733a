/** Stop words. */
const stopWords = new Set(
  (
    "a about above after again all also am an and any anything are as at be because been before being but by can cannot could did do does " +
    "doing done dont each for from get gets give got had has have having he her here hers him his how i if im in into is it its " +
    "itself just know let like made make makes many may me mean mine more most much must my need no nor not now of off on once one only " +
    "or other our out over own please possible same she should show so some something such tell than that the their them then there " +
    "these they thing things this those through to too under until up use used user uses using very want was way we were what when " +
    "where which while who whom whose why will with within without work works would you your"
  ).split(" "),
);

/** The search term of a word. Undefined for a stop word. */
export function toTerm(word: string): string | undefined {
  const lower = word.toLowerCase().replace(/['’]/g, "");
  if (lower.length < 2 || stopWords.has(lower)) return undefined;
  return stem(lower);
}

/** The stem of a word: equal for `setting` and `settings`. */
function stem(word: string): string {
  if (word.length <= 3) return word;
  const single = word.replace(/ies$/, "y").replace(/(ss|us|is)$|s$/, "$1");
  const bare = single.replace(/(?<=[a-z]{3})(ing|ed|er|e)$/, "");
  // "stopping" and "stop", "running" and "run".
  return bare.replace(/([bdgmnprt])\1$/, "$1");
}

/** The words of a text. "Sign in" is one word, because "in" is a stop word. */
export function wordsOf(text: string): string[] {
  const joined = text.replace(/\b(sign|log)[ -](in|out)\b/gi, "$1$2");
  return joined.match(/[\p{L}\p{N}_'’]+/gu) ?? [];
}

export function termsOf(text: string): string[] {
  return [...new Set(wordsOf(text).flatMap((word) => toTerm(word) ?? []))];
}
