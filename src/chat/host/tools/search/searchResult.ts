import {
  type Found,
  type FoundFile,
  type FoundLine,
  keptLine,
  searchLimits,
} from "../../../../platform/search/searchEngine.ts";
import { relevanceOf, relevances } from "./folderRelevance.ts";

/** Limit of lines in a result; with lines around them, of all together. */
const maxLines = 100;
const maxLinesWithContext = 300;
/** Limit of files in a result that names files only. */
const maxFiles = 500;
/** Lines that the hits in less relevant files get at least, as long as there are any. */
const leastLines = 10;

/** What of the hits is given: the lines, the files, or the number of lines of each file. */
export type OutputMode = "content" | "files_with_matches" | "count";

export const outputModes: readonly OutputMode[] = ["content", "files_with_matches", "count"];

/** The lines of a file that are shown, and how many are not. */
export interface ShownFile {
  readonly path: string;
  readonly lines: readonly FoundLine[];
  readonly left: number;
  /** True if the search has kept only the first of the file's lines. */
  readonly isMore: boolean;
}

/** Files in the order of relevance, each with its part of the room: one with many hits leaves room for the others. */
export function shownFiles({ files }: Pick<Found, "files">, context = 0): readonly ShownFile[] {
  const byRelevance = relevances.map((relevance) =>
    files.filter(({ path }) => relevanceOf(path) === relevance),
  );
  let room =
    context === 0 ? maxLines : Math.max(leastLines, Math.floor(maxLinesWithContext / (1 + 2 * context)));
  return byRelevance.flatMap((group, index) => {
    const later = byRelevance.slice(index + 1).filter(({ length }) => length > 0);
    const least = Math.min(leastLines, Math.floor((room * later.length) / (later.length + 1)));
    const reserved = Math.min(least, countOf(later.flat()));
    const root = toFolder(group);
    share(root, Math.max(0, room - reserved));
    room -= root.room;
    return sorted(group).map((file) => shownOf(file, root));
  });
}

/** Found lines as `path:line: text`, those around them as `path-line- text`, with what was left out. */
export function foundText(
  found: Found,
  shown: readonly ShownFile[] = shownFiles(found),
  texts: ReadonlyMap<string, readonly string[]> = new Map(),
  context = 0,
): string {
  const left = shown.reduce((sum, file) => sum + file.left, 0);
  const blocks = shown.flatMap((file) => linesOf(file, texts.get(file.path), context));
  return [...blocks, ...(left > 0 ? [moreText(left, shown)] : []), ...endOf(found)].join("\n");
}

/** The files of the hits, or how many lines of each match. */
export function foundFilesText(found: Found, mode: Exclude<OutputMode, "content">): string {
  const all = relevances.flatMap((relevance) =>
    sorted(found.files.filter(({ path }) => relevanceOf(path) === relevance)),
  );
  const names = all
    .slice(0, maxFiles)
    .map(({ path, lines }) =>
      mode === "count" ? `${path}: ${countText(lines.length, isFull(lines))}` : path,
    );
  const total = all.reduce((sum, { lines }) => sum + lines.length, 0);
  const sum = `${countText(
    total,
    all.some(({ lines }) => isFull(lines)),
  )} lines in ${all.length} files`;
  const left = all.length - names.length;
  return [
    ...names,
    ...(mode === "count" ? [sum] : []),
    ...(left > 0
      ? [`(${left} more files match and were left out: name a folder or an include pattern)`]
      : []),
    ...endOf(found),
  ].join("\n");
}

function countText(count: number, isLeast: boolean): string {
  return isLeast ? `${count} or more` : `${count}`;
}

function isFull(lines: readonly FoundLine[]): boolean {
  return lines.length >= searchLimits.linesOfFile;
}

/** Why the search ended early, and what it could not read. */
function endOf({ unread, end }: Found): readonly string[] {
  return [
    ...(end === "complete" ? [] : [endings[end]]),
    ...(unread === 0 ? [] : [`(${unread} files or folders can't be read, and were left out)`]),
  ];
}

const endings: Readonly<Record<Exclude<Found["end"], "complete">, string>> = {
  lines:
    "(the search ended here, because too many lines match: name a folder, an include pattern or a longer text)",
  files: "(the search ended here, because there are too many files: name a folder or an include pattern)",
  time: "(the search ended here, because it took too long: name a folder, an include pattern or a simpler expression)",
};

function sorted(files: readonly FoundFile[]): readonly FoundFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** A folder or a file of the result, by the parts of its path. */
interface Node {
  readonly parts: Map<string, Node>;
  /** Number of found lines. */
  count: number;
  /** Number of lines that are shown. */
  room: number;
}

function toNode(): Node {
  return { parts: new Map(), count: 0, room: 0 };
}

function countOf(files: readonly FoundFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines.length, 0);
}

function toFolder(files: readonly FoundFile[]): Node {
  const root = toNode();
  for (const { path, lines } of files) {
    let node = root;
    node.count += lines.length;
    for (const part of path.split("/")) {
      const next = node.parts.get(part) ?? toNode();
      node.parts.set(part, next);
      next.count += lines.length;
      node = next;
    }
  }
  return root;
}

/** Shares the room among the entries of a folder: equal parts, and what one does not need is for the others. */
function share(node: Node, room: number): void {
  node.room = Math.min(room, node.count);
  let left = node.room;
  const entries = [...node.parts.values()].sort((a, b) => a.count - b.count);
  for (const [index, entry] of entries.entries()) {
    const isLast = index === entries.length - 1;
    share(entry, isLast ? left : Math.min(entry.count, Math.floor(left / (entries.length - index))));
    left -= entry.room;
  }
}

function shownOf({ path, lines }: FoundFile, root: Node): ShownFile {
  let node: Node | undefined = root;
  for (const part of path.split("/")) node = node?.parts.get(part);
  const room = node?.room ?? 0;
  return { path, lines: lines.slice(0, room), left: lines.length - room, isMore: isFull(lines) };
}

function linesOf(
  { path, lines, left, isMore }: ShownFile,
  text: readonly string[] | undefined,
  context: number,
): readonly string[] {
  const shown =
    context > 0 ? withContext(path, lines, text ?? [], context) : lines.map((one) => hitText(path, one));
  const hasMore = lines.length > 0 && (left > 0 || isMore);
  return hasMore ? [...shown, `${path}: (${isMore ? `${left} more, or above` : `${left} more`})`] : shown;
}

function hitText(path: string, { line, text }: FoundLine): string {
  return `${path}:${line}: ${text}`;
}

/** Hits with the lines around them, as grep gives them: `--` stands where lines are left out. */
function withContext(
  path: string,
  hits: readonly FoundLine[],
  text: readonly string[],
  context: number,
): readonly string[] {
  const shown: string[] = [];
  const byLine = new Map(hits.map((hit) => [hit.line, hit]));
  let last = 0;
  for (const { line } of hits) {
    // The file may have changed since it was searched.
    const isSame =
      keptLine(text[line - 1] ?? "", 0) === byLine.get(line)?.text ||
      (text[line - 1] ?? "").length > searchLimits.lineLength;
    const around = isSame ? context : 0;
    const from = Math.max(last + 1, line - around);
    if (shown.length > 0 && from > last + 1) shown.push("--");
    for (let next = from; next <= Math.min(line + around, Math.max(text.length, line)); next++) {
      const hit = byLine.get(next);
      shown.push(hit ? hitText(path, hit) : `${path}-${next}- ${keptLine(text[next - 1] ?? "", 0)}`);
      last = next;
    }
  }
  return shown;
}

/** Where the lines are that are not shown: the entries of the workspace with the most of them. */
function moreText(left: number, shown: readonly ShownFile[]): string {
  const byEntry = new Map<string, number>();
  for (const file of shown) {
    const slash = file.path.indexOf("/");
    const name = slash < 0 ? file.path : file.path.slice(0, slash + 1);
    if (file.left > 0) byEntry.set(name, (byEntry.get(name) ?? 0) + file.left);
  }
  const places = [...byEntry]
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, count]) => `${count} in ${name}`);
  const isLeast = shown.some((file) => file.isMore);
  return `(${countText(left, isLeast)} more lines match and were left out: ${places.join(", ")})`;
}
