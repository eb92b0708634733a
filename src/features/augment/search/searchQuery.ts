const mostQueryCharacters = 400;

/** The sentence that refuses a query; undefined for one that may be sent (spec E2). */
export function queryProblem(query: string): string | undefined {
  if (query === "") return "There is nothing to search for: type a few words.";
  const { length } = query;
  return length > mostQueryCharacters
    ? `A query has at most ${mostQueryCharacters} characters; this one has ${length}.`
    : undefined;
}

/** Selected text as a query: one line. */
export function toQuery(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
