import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Upload } from "../../../api/upload.ts";
import type { Client } from "../../../session/session.ts";
import { parseUpload } from "./parseUpload.ts";

/** What the parser read of a file, in a file of its own. */
export interface ParsedText {
  /** Gone once whoever asked for it is through. */
  readonly path: string;
  readonly tokens?: number;
}

/** Reads one file into a place below `folder`, and keeps it there until `use` has made something of it. */
export async function withParsed<Made>(
  { folder, client, format, signal }: ParseInto,
  upload: Upload,
  use: (parsed: ParsedText) => Promise<Made>,
): Promise<Made> {
  const path = join(folder, `${crypto.randomUUID()}.text`);
  try {
    return await use({ path, ...(await parseUpload(client, upload, format, path, signal)) });
  } finally {
    await rm(path, { force: true });
  }
}

export interface ParseInto {
  readonly folder: string;
  readonly client: Pick<Client, "api">;
  readonly format: "json" | "text";
  readonly signal: AbortSignal;
}
