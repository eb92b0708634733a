/** A source that the service found for an answer. The text of the answer refers to it by its index in the list. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
  readonly date?: string;
  /** An excerpt as plain text. */
  readonly excerpt?: string;
}
