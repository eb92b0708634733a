import { looksSecret } from "../../../../shared/secretFiles.ts";
import { plural } from "../../../../shared/text/plural.ts";
import { fileTypeOf } from "./fileType.ts";
import { cutText, toPromptBlock, utf8Text } from "./textContent.ts";

export interface FolderFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  read(): Promise<Uint8Array>;
}

/** Limits: listed files, files with content, and total bytes of all contents. */
const maxListed = 500;
const maxRead = 60;
const maxContentBytes = 192 * 1024;
const maxFileBytes = 48 * 1024;

/** A folder as one text: its listing, then the contents of text files up to the limits. */
export async function folderText(
  files: readonly FolderFile[],
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly detail: string }> {
  const sorted = [...files].sort((one, other) => (one.path < other.path ? -1 : 1));
  const open = sorted.filter(({ path }) => !looksSecret(path));
  const secret = sorted.length - open.length;
  const listed = open.slice(0, maxListed).map(({ path }) => path);
  if (open.length > maxListed) listed.push(`… and ${open.length - maxListed} more`);
  const blocks: string[] = [];
  let left = maxContentBytes;
  for (const { path, read } of open) {
    if (signal.aborted || blocks.length === maxRead || left < 1024) break;
    const bytes = await read().catch(() => undefined);
    const whole = bytes && fileTypeOf(path, bytes).kind === "text" ? utf8Text(bytes) : undefined;
    if (whole === undefined) continue;
    const { text, detail } = cutText(whole, Math.min(left, maxFileBytes));
    left -= Buffer.byteLength(text);
    blocks.push(toPromptBlock({ name: path, detail }, text));
  }
  const words = [
    plural(open.length, "file"),
    ...(blocks.length < open.length ? [`${blocks.length} with content`] : []),
    ...(secret > 0 ? [`${plural(secret, "secret-looking file")} left out`] : []),
  ];
  return { text: [listed.join("\n"), ...blocks].join("\n\n"), detail: words.join(", ") };
}
