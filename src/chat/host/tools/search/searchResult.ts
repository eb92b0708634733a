import type { Found, FoundFile } from "../../../../platform/search/searchEngine.ts";

/** Limit of lines in a result. */
const maxLines = 100;

/** Found lines as `path:line: text`, with what was left out. A folder with many of them leaves room for the others. */
export function foundText({ files, unread, end }: Found): string {
  const byPath = [...files].sort((a, b) => (a.path < b.path ? -1 : 1));
  const root = toFolder(byPath);
  share(root, maxLines);
  const left = root.count - root.room;
  return [
    ...byPath.flatMap((file) => linesOf(file, root)),
    ...(left > 0 ? [moreText(left, root)] : []),
    ...(end === "complete" ? [] : [endings[end]]),
    ...(unread === 0 ? [] : [`(${unread} files or folders can't be read, and were left out)`]),
  ].join("\n");
}

const endings: Readonly<Record<Exclude<Found["end"], "complete">, string>> = {
  lines:
    "(the search ended here, because too many lines match: name a folder, an include pattern or a longer text)",
  files: "(the search ended here, because there are too many files: name a folder or an include pattern)",
  time: "(the search ended here, because it took too long: name a folder, an include pattern or a simpler expression)",
};

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

function linesOf({ path, lines }: FoundFile, root: Node): readonly string[] {
  let node: Node | undefined = root;
  for (const part of path.split("/")) node = node?.parts.get(part);
  const room = node?.room ?? 0;
  const shown = lines.slice(0, room).map(({ line, text }) => `${path}:${line}: ${text}`);
  const left = lines.length - room;
  return room === 0 || left === 0 ? shown : [...shown, `${path}: (${left} more)`];
}

/** Where the lines are that are not shown: the entries of the workspace with the most of them. */
function moreText(left: number, root: Node): string {
  const places = [...root.parts]
    .map(([name, { parts, count, room }]) => ({
      name: parts.size > 0 ? `${name}/` : name,
      left: count - room,
    }))
    .filter((place) => place.left > 0)
    .sort((a, b) => b.left - a.left)
    .slice(0, 5)
    .map((place) => `${place.left} in ${place.name}`);
  return `(${left} more lines match and were left out: ${places.join(", ")})`;
}
