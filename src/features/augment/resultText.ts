import type { SearchHit, StoredResult } from "./storedResult.ts";
import { fileNameOfTitle, hitToMarkdown, searchToMarkdown, withFrontMatter } from "./writing.ts";

/** A result as a document. */
export interface ResultText {
  /** A file's name. */
  readonly name: string;
  readonly text: string;
  readonly languageId: "markdown" | "plaintext";
  /** Where it is from: an address or a file. */
  readonly uri: string;
}

/** A result, or one hit of it, as a document; undefined where its text is no longer there. */
export function asText(stored: StoredResult, hit?: SearchHit, text?: string): ResultText | undefined {
  const languageId = "markdown";
  if (hit)
    return { name: fileNameOfTitle(hit.title, "md"), text: hitToMarkdown(hit), languageId, uri: hit.url };
  if (stored.kind === "search") {
    const uri = `search:${encodeURIComponent(stored.query)}`;
    return { name: fileNameOfTitle(stored.query, "md"), text: searchToMarkdown(stored), languageId, uri };
  }
  if (text === undefined) return undefined;
  const date = new Date(stored.atMs).toISOString();
  if (stored.kind === "page") {
    const { title, url } = stored;
    const whole = withFrontMatter({ title, source: url, date }, text);
    return { name: fileNameOfTitle(title, "md"), text: whole, languageId, uri: url };
  }
  const { name, uri, tokens } = stored;
  // Raw text was asked for: nothing is added to it.
  if (tokens === undefined) return { name: `${name}.txt`, text, languageId: "plaintext", uri };
  return { name: `${name}.md`, text: withFrontMatter({ source: name, date, tokens }, text), languageId, uri };
}
