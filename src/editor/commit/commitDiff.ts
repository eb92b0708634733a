import { looksSecret } from "../../shared/secretFiles.ts";
import { shortList } from "../../shared/text/shortened.ts";

/** Names of files in a sentence. */
const maxNames = 5;

/** A diff that may be sent to a model, and the omitted parts. */
export interface BoundDiff {
  readonly text: string;
  /** Paths whose names look like keys or passwords. */
  readonly secret: readonly string[];
  /** Paths that are shortened or reduced to their name. */
  readonly cut: readonly string[];
}

interface FileDiff {
  readonly paths: readonly string[];
  readonly text: string;
}

/**
 * A git diff limited to a number of characters: secret-looking files are omitted, and the space is shared so that small
 * files stay whole and long ones are cut at the end.
 */
export function boundDiff(diff: string, maxCharacters: number): BoundDiff {
  const files = splitDiff(diff);
  const secret = files.filter(({ paths }) => paths.some(looksSecret));
  const open = files.filter((file) => !secret.includes(file));
  const cut: FileDiff[] = [];
  const parts = new Map<FileDiff, string>();
  let room = maxCharacters;
  // The shortest first: their unused share goes to longer ones.
  const byLength = [...open].sort((a, b) => a.text.length - b.text.length);
  for (const [index, file] of byLength.entries()) {
    const share = Math.floor(room / (byLength.length - index));
    const text = file.text.length <= share ? file.text : head(file.text, share);
    if (text !== file.text) cut.push(file);
    parts.set(file, text);
    room -= text.length;
  }
  return {
    text: open.map((file) => parts.get(file) ?? "").join(""),
    secret: secret.map(nameOf),
    cut: open.filter((file) => cut.includes(file)).map(nameOf),
  };
}

/** The diff of a file that git does not track yet; undefined for contents that are not shown. */
export function newFileDiff(path: string, text: string | undefined): string {
  const header = `diff --git a/${path} b/${path}\nnew file mode 100644\n`;
  if (text === undefined) return `${header}Binary files /dev/null and b/${path} differ\n`;
  const lines = text.replace(/\n$/, "").split("\n");
  if (text === "") return header;
  return `${header}--- /dev/null\n+++ b/${path}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
}

/** One sentence about the omitted parts, or an empty string if nothing was omitted. */
export function describeLeftOut({ secret, cut }: Pick<BoundDiff, "secret" | "cut">): string {
  const sentences = [
    secret.length > 0
      ? `Not sent, because the name looks like a secret: ${shortList(secret, maxNames)}.`
      : "",
    cut.length > 0 ? `Too long to be sent whole: ${shortList(cut, maxNames)}.` : "",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

export function splitDiff(diff: string): FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith("diff --git "))
    .map(withReadableNames)
    .map((text) => ({ paths: pathsOf(text), text: text.endsWith("\n") ? text : `${text}\n` }));
}

/** Git writes "b/\303\274.md" for b/ü.md by default, and the API of its extension takes no other setting. */
function withReadableNames(text: string): string {
  const header = headerOf(text);
  return header.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, unescapedBytes) + text.slice(header.length);
}

/** A quoted name with its characters above ASCII; still quoted if git quotes it for another reason, such as a tab. */
function unescapedBytes(quoted: string): string {
  const name = quoted.replaceAll(/((?:\\[23][0-7]{2})+)|\\./g, (escaped: string, bytes?: string) =>
    bytes === undefined ? escaped : (utf8(bytes) ?? escaped),
  );
  return name === quoted || name.includes("\\") ? name : name.slice(1, -1);
}

/** The text of octal escapes; undefined for bytes that are not UTF-8. */
function utf8(escapes: string): string | undefined {
  const bytes = escapes.split("\\").slice(1);
  const text = Buffer.from(bytes.map((octal) => Number.parseInt(octal, 8))).toString();
  return text.includes("\uFFFD") ? undefined : text;
}

function headerOf(text: string): string {
  const hunk = text.search(/^@@ /m);
  return hunk < 0 ? text : text.slice(0, hunk);
}

/** Both names of a file, read from the header lines in which git writes them unambiguously. */
function pathsOf(text: string): string[] {
  const header = headerOf(text);
  const named = [
    ...header.matchAll(/^(?:---|\+\+\+|rename from|rename to|copy from|copy to) (.+?)\t?$/gm),
  ].map(([, name = ""]) => name);
  // Without such lines (a binary file, a change of mode) both names are equal: the second half of the first line.
  const line = header.split("\n", 1)[0] ?? "";
  const same = /^diff --git ("?)a\/(.+?)\1 \1b\/\2\1$/.exec(line)?.[2] ?? line.slice("diff --git ".length);
  const paths = named.filter((name) => name !== "/dev/null").map(plain);
  return [...new Set(paths.length > 0 ? paths : [plain(same)])];
}

/** Removes git's quotes and the a/ and b/ prefixes. */
function plain(name: string): string {
  return name.replace(/^"(.*)"$/, "$1").replace(/^[abciw]\//, "");
}

function nameOf({ paths }: FileDiff): string {
  return paths.at(-1) ?? "";
}

/** The whole lines from the start that fit, with a note about the rest if there is room. */
function head(text: string, maxCharacters: number): string {
  const mark = "… the rest of this file's changes was omitted\n";
  const room = maxCharacters - mark.length;
  if (room <= 0) return "";
  const end = text.lastIndexOf("\n", room - 1);
  return end < 0 ? mark : text.slice(0, end + 1) + mark;
}
