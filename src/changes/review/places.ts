import type { Uri } from "vscode";
import { visibleLine } from "../../shared/text/html/visibleText.ts";
import { plural } from "../../shared/text/plural.ts";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingHunk } from "../engine/hunkList.ts";

/** One decision of the review: a hunk, or a file that is accepted or rejected as a whole. */
export interface ReviewPlace {
  readonly file: ChangedFile;
  /** Undefined for a whole file. */
  readonly hunk: PendingHunk | undefined;
}

/** All decisions, in the order of the files, then of the lines. */
export function reviewPlaces(files: readonly ChangedFile[]): readonly ReviewPlace[] {
  return files.flatMap((file): readonly ReviewPlace[] => {
    if (isWhole(file)) return [{ file, hunk: undefined }];
    const hunks = [...file.hunks].sort((a, b) => a.startLine - b.startLine);
    return hunks.map((hunk) => ({ file, hunk }));
  });
}

/** True for a file without decisions about single hunks. */
export function isWhole({ kind, hunks }: ChangedFile): boolean {
  return kind !== "changed" || hunks.length === 0;
}

/**
 * The next or previous place, seen from a line of a file; after the last one comes the first. The place at the line
 * itself does not count.
 */
export function placeBeside(
  places: readonly ReviewPlace[],
  from: { readonly uri: Uri; readonly line: number } | undefined,
  direction: "next" | "previous",
): ReviewPlace | undefined {
  const own = from ? fileIndexes(places, from.uri) : [];
  if (!from || own.length === 0) return direction === "next" ? places[0] : places.at(-1);
  if (direction === "next") {
    const index = own.find((index) => startOf(places[index]) > from.line) ?? (own.at(-1) ?? 0) + 1;
    return places[index % places.length];
  }
  const index = own.findLast((index) => endOf(places[index]) < from.line) ?? (own[0] ?? 0) - 1;
  return places.at(index);
}

function fileIndexes(places: readonly ReviewPlace[], uri: Uri): readonly number[] {
  const wanted = uri.toString();
  return places.flatMap(({ file }, index) => (file.uri.toString() === wanted ? [index] : []));
}

const startOf = (place: ReviewPlace | undefined) => place?.hunk?.startLine ?? 0;
const endOf = (place: ReviewPlace | undefined) => (place?.hunk ? lastLine(place.hunk) : 0);

/** The last line of a hunk; of removed lines, the line that follows them. */
export function lastLine({ startLine, lineCount }: PendingHunk): number {
  return startLine + Math.max(0, lineCount - 1);
}

/** The hunk with this line. Removed lines belong to both lines around them, unless another hunk has the line. */
export function hunkAtLine(hunks: readonly PendingHunk[], line: number): PendingHunk | undefined {
  const inside = hunks.find((hunk) => hunk.startLine <= line && line <= lastLine(hunk));
  return inside ?? hunks.find(({ startLine, lineCount }) => lineCount === 0 && startLine - 1 === line);
}

/** `+3 −2` */
export function lineCounts({ lineCount, before }: PendingHunk): string {
  const parts = [lineCount > 0 ? `+${lineCount}` : "", before.length > 0 ? `−${before.length}` : ""];
  return parts.filter((part) => part !== "").join(" ");
}

/** `3 files, 12 hunks`; a file that is decided as a whole counts as one hunk. */
export function describeAll(files: readonly ChangedFile[]): string {
  return `${plural(files.length, "file")}, ${plural(countPlaces(files), "hunk")}`;
}

/** The number of decisions. */
export function countPlaces(files: readonly ChangedFile[]): number {
  return files.reduce((sum, file) => sum + (isWhole(file) ? 1 : file.hunks.length), 0);
}

/** Files that a question names. */
const mostNamed = 10;

/** `a.ts (moved from b.ts), b.ts (moved from a.ts)` */
export function describeConnected(
  files: readonly Pick<ChangedFile, "path" | "kind" | "movedFrom">[],
): string {
  const named = files.slice(0, mostNamed).map(({ path, kind, movedFrom }) => {
    const what = movedFrom === undefined ? kind : `moved from ${movedFrom}`;
    return visibleLine(`${path} (${what})`);
  });
  const more = files.length - mostNamed;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
