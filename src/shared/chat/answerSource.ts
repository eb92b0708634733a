/** A source of an answer, found by the service or read before the question. The text of the answer refers to it by its index in the list. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
  readonly date?: string;
  /** An excerpt as plain text. */
  readonly excerpt?: string;
  /** The document in which this extension shows the page as it was read. Without it, the page is opened in the browser. */
  readonly stored?: string;
}
