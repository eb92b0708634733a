const mostQueryCharacters = 400;

/** Why a query can't be sent (spec E2). */
export function queryProblem(query: string): string | undefined {
  if (query === "") return "The query is empty. Type a few words.";
  const { length } = query;
  return length > mostQueryCharacters
    ? `A query has at most ${mostQueryCharacters} characters; this one has ${length}.`
    : undefined;
}
