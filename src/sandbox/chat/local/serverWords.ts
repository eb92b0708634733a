import { firstWords, pageTitle } from "../../../shared/text/bodyWords.ts";

/** The message of an error in JSON, as servers of models write it: `error`, `error.message`, `message`, `detail`. */
export function errorWords(text: string): string | undefined {
  try {
    const { error, message, detail } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const inner = (Object(error) as { readonly message?: unknown }).message;
    return [error, inner, message, detail].find((words) => typeof words === "string" && words !== "") as
      | string
      | undefined;
  } catch {
    return undefined;
  }
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
