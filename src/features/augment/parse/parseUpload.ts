import type { Upload } from "../../../api/upload.ts";
import type { Client } from "../../../session/session.ts";

/** What the parser read; raw text comes without its number of tokens. */
export interface ParsedText {
  readonly text: string;
  readonly tokens?: number;
}

/** Sends one file to the parser (spec E9). */
export async function parseUpload(
  { api }: Pick<Client, "api">,
  file: Upload,
  format: "json" | "text",
  signal: AbortSignal,
): Promise<ParsedText> {
  if (format === "text") return { text: await api.augment.parseText({ file }, { signal }) };
  const { text, tokens } = await api.augment.parse({ file }, { signal });
  return { text, tokens };
}
