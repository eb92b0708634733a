/** A question of a model to the user, who chooses or writes. */
export interface UserQuestion {
  readonly question: string;
  /** None for a question that is answered in words. */
  readonly choices: readonly { readonly label: string; readonly description?: string }[];
  /** Several may be chosen. */
  readonly multiple: boolean;
}

/** The user's answer as the model reads it. It approves nothing: only a decision about a call does. */
export function answerText(chosen: readonly string[], words: string): string {
  const text = words.trim();
  const labels = chosen.map((label) => `“${label}”`).join(", ");
  if (labels === "") return `The user answered: ${text}`;
  return `The user chose ${labels}.${text === "" ? "" : ` The user added: ${text}`}`;
}

/** What the model reads if the user does not answer. */
export const skippedQuestion =
  "The user did not answer this question. Go on with what you can do without it, or say what you need.";
/** The user stopped the chat instead, or wrote something else. */
export const unansweredQuestion = "The user has not answered this question.";
