import { membersOf } from "../../../shared/members.ts";
import { textIn } from "../../../shared/stringIn.ts";
import { firstWords, pageTitle } from "../../../shared/text/html/bodyWords.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/** The message of an error in JSON, as servers of models write it: `error`, `error.message`, `message`, `detail`. */
export function errorWords(text: string): string | undefined {
  const { error, message, detail } = membersOf(parseJson(text));
  return [error, membersOf(error).message, message, detail].map(textIn).find((words) => words !== "");
}

/**
 * What a server says in place of an answer: the message of its error, the title of its page, or its first words. Empty
 * if that is nothing to read. What may be the beginning of an answer is private and not quoted.
 */
export function serverWords(text: string): string {
  const said = errorWords(text);
  if (said !== undefined) return said;
  const trimmed = text.trim();
  if (trimmed.startsWith("<")) return pageTitle(trimmed) ?? "";
  return /^[{["]/.test(trimmed) ? "" : firstWords(trimmed);
}
