import { type Json, mostChanged, type RpcChange } from "../../../shared/rpcOutput.ts";

/** Where two values differ, `number`, `logs[0].data`, and what stands there; an empty path is the value itself. */
export function changesBetween(before: Json, now: Json): RpcChange[] {
  const found: RpcChange[] = [];
  compare(before, now, "", found);
  return found.slice(0, mostChanged);
}

function compare(before: Json, now: Json, path: string, found: RpcChange[]): void {
  if (found.length >= mostChanged || before === now) return;
  const isParts = typeof before === "object" && typeof now === "object" && before !== null && now !== null;
  if (!isParts || Array.isArray(before) !== Array.isArray(now)) {
    found.push({ path, before, now });
    return;
  }
  const [a, b] = [before as Parts, now as Parts];
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const step = Array.isArray(now) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    const [was, is] = [own(a, key), own(b, key)];
    if (was !== undefined && is !== undefined) compare(was, is, step, found);
    else
      found.push({
        path: step,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { now: is }),
      });
  }
}

type Parts = Readonly<Record<string, Json>>;

function own(parts: Parts, key: string): Json | undefined {
  return Object.hasOwn(parts, key) ? parts[key] : undefined;
}
