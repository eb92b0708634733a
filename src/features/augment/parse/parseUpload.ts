import { dirname } from "node:path";
import type { LongTextSink } from "../../../api/longText.ts";
import type { Upload } from "../../../api/upload.ts";
import { makeFolder, openPrivate } from "../../../platform/privateFiles.ts";
import type { Client } from "../../../session/session.ts";

/** Sends one file to the parser (spec E9), and writes what it read to `path` as it arrives. Raw text comes without a number of tokens. */
export async function parseUpload(
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
    // A full disk is no fault of the network.
    throw failed ? failed.error : error;
  } finally {
    await output.close();
  }
}
