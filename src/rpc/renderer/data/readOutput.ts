import { isObject, type JsonObject } from "../../output/json.ts";
import type { Json, RpcAccount, RpcOutput } from "../../output/rpcOutput.ts";

/** The payload, if it has the supported version and shape. */
export function readOutput(payload: unknown): RpcOutput | undefined {
  if (!isObject(payload as Json)) return undefined;
  const { version, runId, networks, lines, calls, total } = payload as JsonObject;
  const isWhole =
    version === 1 &&
    typeof runId === "string" &&
    [networks, lines, calls].every((list) => Array.isArray(list) && list.every(isObject)) &&
    isObject(total) &&
    (lines as readonly JsonObject[]).every(({ outcome }) => isObject(outcome));
  return isWhole ? (payload as unknown as RpcOutput) : undefined;
}

/** The same, where lines do not say again why the run ended: that stands above them. */
export function saidOnce(output: RpcOutput): RpcOutput {
  const why = output.problem?.sentence;
  const lines = output.lines.map((line) =>
    line.outcome.kind === "unsent" && why
      ? { ...line, outcome: { ...line.outcome, reason: shownReason(`${line.outcome.reason}`, `${why}`) } }
      : line,
  );
  return { ...output, lines };
}

const runEnded = "Not sent, as the run had ended.";

function shownReason(reason: string, sentence: string): string {
  if (reason && sentence.startsWith(reason)) return "No result, for the reason above.";
  return reason.startsWith(runEnded) && sentence.startsWith(reason.slice(runEnded.length + 1))
    ? runEnded
    : reason;
}

/** The cut lists and texts of an output, each with its original length. */
export function wholesIn({ lines }: RpcOutput): ReadonlyMap<unknown, number> {
  const found = new Map<unknown, number>();
  for (const { outcome } of lines) {
    if (outcome.kind !== "result" || !Array.isArray(outcome.whole)) continue;
    for (const { path, length } of outcome.whole) found.set(valueAt(outcome.value, path), length);
  }
  return found;
}

/** The accounts of an output, by their addresses in lower case. */
export function accountsIn({ accounts }: RpcOutput): ReadonlyMap<string, RpcAccount> {
  const list: readonly RpcAccount[] = Array.isArray(accounts) ? accounts : [];
  return new Map(list.map((one) => [String(one.address).toLowerCase(), one]));
}

function valueAt(value: Json, path: readonly (string | number)[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Readonly<Record<string | number, Json>>)[step];
  }
  return at;
}

/** The own members of an object. In a Map `__proto__` is a plain name. */
export function ownMembers(value: JsonObject): ReadonlyMap<string, Json> {
  return new Map(Object.entries(value));
}
