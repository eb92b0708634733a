import type { KeptResult, SearchHit } from "./storedResult.ts";
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
export function asText(kept: KeptResult, hit?: SearchHit, text?: string): ResultText | undefined {
  const languageId = "markdown";
  if (hit)
    return { name: fileNameOfTitle(hit.title, "md"), text: hitToMarkdown(hit), languageId, uri: hit.url };
  if (kept.kind === "search") {
    const uri = `search:${encodeURIComponent(kept.query)}`;
    return { name: fileNameOfTitle(kept.query, "md"), text: searchToMarkdown(kept), languageId, uri };
  }
  if (text === undefined) return undefined;
  const date = new Date(kept.atMs).toISOString();
  if (kept.kind === "page") {
    const { title, url } = kept;
    const whole = withFrontMatter({ title, source: url, date }, text);
    return { name: fileNameOfTitle(title, "md"), text: whole, languageId, uri: url };
  }
  const { name, uri, tokens } = kept;
  // Raw text was asked for: nothing is added to it.
  if (tokens === undefined) return { name: `${name}.txt`, text, languageId: "plaintext", uri };
  return { name: `${name}.md`, text: withFrontMatter({ source: name, date, tokens }, text), languageId, uri };
}
