import { readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Upload } from "../../api/call/body/upload.ts";
import type { LongTextSink } from "../../api/stream/longText.ts";
import { makeFolder, openPrivate } from "../../platform/files/privateFiles.ts";
import type { DocumentText } from "../../session/documents/readDocument.ts";
import type { Client } from "../../session/session.ts";

/** The parsed text of a document, in a temporary file. */
export interface ParsedText {
  /** Deleted when `use` has ended. */
  readonly path: string;
  readonly tokens?: number;
}

/** Parses a document by the service into a temporary file in `folder`, which is deleted after `use`. */
export async function withParsed<Value>(
  { folder, client, format, signal }: ParseInto,
  upload: Upload,
  use: (parsed: ParsedText) => Promise<Value>,
): Promise<Value> {
  return inTemporaryFile(folder, async (path) => {
    const parsed = await parseUpload(client, upload, format, path, signal);
    upload.release?.();
    return use({ path, ...parsed });
  });
}

/** The same for a text that was read on this machine. */
export async function withText<Value>(
  { folder, format }: Pick<ParseInto, "folder" | "format">,
  { text, tokens }: DocumentText,
  use: (parsed: ParsedText) => Promise<Value>,
): Promise<Value> {
  return inTemporaryFile(folder, async (path) => {
    await makeFolder(folder);
    const output = await openPrivate(path, "w");
    try {
      await output.writeFile(text);
    } finally {
      await output.close();
    }
    return use(format === "text" ? { path } : { path, tokens });
  });
}

async function inTemporaryFile<Value>(folder: string, use: (path: string) => Promise<Value>): Promise<Value> {
  const path = join(folder, `${crypto.randomUUID()}.text`);
  await deleteOldFiles(folder, Date.now() - orphanedMs);
  try {
    return await use(path);
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

/** Files of this age were left behind by a window that was killed. */
const orphanedMs = 24 * 3_600_000;

export async function deleteOldFiles(folder: string, beforeMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = join(folder, name);
    const stored = await stat(path).catch(() => undefined);
    // A file that another program has open is deleted next time.
    if (stored && stored.mtimeMs < beforeMs) await rm(path, { force: true }).catch(() => {});
  }
}

/** Sends one file to the parser (spec E9) and writes its text to `path` as it arrives. Raw text has no token count. */
async function parseUpload(
  { api }: Pick<Client, "api">,
  file: Upload,
  format: "json" | "text",
  path: string,
  signal: AbortSignal,
): Promise<{ readonly tokens?: number }> {
  await makeFolder(dirname(path));
  const output = await openPrivate(path, "w");
  let failed: { readonly error: unknown } | undefined;
  const onText: LongTextSink = async (piece) => {
    try {
      await output.writeFile(piece);
    } catch (error) {
      failed = { error };
      throw error;
    }
  };
  try {
    if (format === "text") {
      await api.augment.parseText({ file }, { signal, onText });
      return {};
    }
    const { tokens } = await api.augment.parse({ file }, { signal, onText });
    return { tokens };
  } catch (error) {
    // Report a full disk as such, not as a failed request.
    throw failed ? failed.error : error;
  } finally {
    await output.close();
  }
}
