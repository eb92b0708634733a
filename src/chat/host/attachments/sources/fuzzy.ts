/** Score of a path for a query: higher is better; undefined if it does not match. */
function scorePath(path: string, query: string): number | undefined {
  if (query === "") return 0;
  const text = path.toLowerCase();
  const wanted = query.toLowerCase();
  const nameAt = path.lastIndexOf("/") + 1;
  const whole = text.indexOf(wanted, nameAt);
  // A contiguous match is better than scattered letters, and a shorter path better than a long one.
  if (whole >= 0) return 1000 - (whole - nameAt) - path.length / 1000;
  if (text.includes(wanted)) return 600 - path.length / 1000;
  const spread = spreadOf(text, wanted);
  return spread === undefined ? undefined : 300 - spread - path.length / 1000;
}

/** Number of letters between those of the query, matched from the end, where names are; undefined without a match. */
function spreadOf(text: string, wanted: string): number | undefined {
  let at = text.length;
  let last: number | undefined;
  for (let index = wanted.length - 1; index >= 0; index--) {
    at = text.lastIndexOf(wanted.charAt(index), at - 1);
    if (at < 0) return undefined;
    last ??= at;
    if (at === 0 && index > 0) return undefined;
  }
  return (last ?? 0) - at + 1 - wanted.length;
}

interface Match {
  readonly path: string;
  readonly score: number;
}

function compareMatches(one: Match, other: Match): number {
  return other.score - one.score || (one.path < other.path ? -1 : 1);
}

/** The best matches for a query, best first. The others are not sorted: a letter can match 100,000 paths. */
export function bestPaths(paths: readonly string[], query: string, count: number): string[] {
  const best: Match[] = [];
  for (const path of paths) {
    const score = scorePath(path, query);
    if (score === undefined) continue;
    const match = { path, score };
    const last = best.at(-1);
    if (best.length === count && last && compareMatches(match, last) > 0) continue;
    const at = best.findIndex((one) => compareMatches(match, one) < 0);
    best.splice(at < 0 ? best.length : at, 0, match);
    if (best.length > count) best.pop();
  }
  return best.map(({ path }) => path);
}

/** The folders that contain these files, without duplicates. */
export function foldersOf(paths: readonly string[]): string[] {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...folders];
}
