import type { Json } from "../../../shared/rpcOutput.ts";

/** More than that nobody looks through. */
const most = 200;

/** Where two values differ: `number`, `logs[0].data`; empty text for the value itself. */
export function changedPaths(before: Json, now: Json): string[] {
  const found: string[] = [];
  compare(before, now, "", found);
  return found.slice(0, most);
}

function compare(before: Json, now: Json, path: string, found: string[]): void {
  if (found.length >= most || before === now) return;
  const isParts = typeof before === "object" && typeof now === "object" && before !== null && now !== null;
  if (!isParts || Array.isArray(before) !== Array.isArray(now)) {
    found.push(path);
    return;
  }
  const [a, b] = [before as Parts, now as Parts];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = Array.isArray(now) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    if (!(key in a) || !(key in b)) found.push(step);
    else compare(a[key] ?? null, b[key] ?? null, step, found);
  }
}

type Parts = Readonly<Record<string, Json>>;
