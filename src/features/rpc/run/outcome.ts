import { exactText } from "../../../shared/exactJson.ts";
import type {
  Json,
  ResultView,
  RpcDecoded,
  RpcFailure,
  RpcOutcome,
  RpcResult,
  RpcWhole,
} from "../../../shared/rpcOutput.ts";
import type { Evm, Log } from "../evm/evm.ts";
import { methodOf } from "../language/catalog/catalog.ts";
import type { Decoding } from "../language/lowerRequest.ts";
import { memo } from "../language/memo.ts";
import type { LineOutcome } from "./round.ts";

/** What decoding goes by. */
export interface Hints {
  readonly method: string;
  readonly decoding: Decoding | undefined;
  /** Declarations that the notebook brings with @abi. */
  readonly declared: readonly string[];
  /** Functions that the notebook declares or calls. */
  readonly functions: readonly string[];
}

/** Whether making an outcome ready for a view takes the library. */
export function needsEvm(outcome: LineOutcome, { method, decoding }: Hints): boolean {
  if (outcome.kind === "error") return revertData(outcome) !== undefined;
  if (outcome.kind !== "result") return false;
  const hasParts = decoding !== undefined || logsIn(method, outcome.value).length > 0;
  return hasParts || calldataIn(method, outcome.value, 1).length > 0;
}

/** An outcome as a view gets it: decoded where that is possible, and no larger than `maxBytes` of JSON. */
export function toOutcome(
  outcome: LineOutcome,
  hints: Hints,
  evm: Evm | undefined,
  maxBytes: number,
): RpcOutcome {
  if (outcome.kind === "error") return withRevert(outcome, hints, evm);
  if (outcome.kind !== "result") return outcome;
  const { value, bytes, cut, whole } = bounded(outcome.value, maxBytes);
  const decoded = evm && decodeResult(value, hints, evm);
  const result: RpcResult = { kind: "result", view: viewOf(hints.method, value), value, bytes };
  return { ...result, ...(cut ? { cut, whole } : {}), ...(decoded ? { decoded } : {}) };
}

function viewOf(method: string, value: Json): ResultView {
  const view = methodOf(method)?.result ?? "any";
  return value === null || (view === "trace" && typeof value !== "object") ? "any" : view;
}

function decodeResult(
  value: Json,
  { method, decoding, declared, functions }: Hints,
  evm: Evm,
): RpcDecoded | undefined {
  if (decoding?.by === "call") {
    const values = typeof value === "string" ? evm.decodeCallResult(decoding.signature, value) : undefined;
    return values && { kind: "values", values };
  }
  const calls = calldataIn(method, value, mostCalls).flatMap((input) => {
    const decoded = evm.decodeCalldata(input, functions);
    return decoded ? [{ input, ...decoded }] : [];
  });
  if (calls.length > 0) return { kind: "calls", calls };
  const logs = logsIn(method, value);
  if (logs.length === 0) return undefined;
  const own = decoding?.by === "logs" ? [decoding.signature] : [];
  return {
    kind: "events",
    events: logs.map((log) => evm.decodeLog(log, eventsIn(declared), own) ?? null),
  };
}

const eventsIn = memo((declared: readonly string[]) => declared.filter((one) => /^\s*event\s/.test(one)));
const errorsIn = memo((declared: readonly string[]) => declared.filter((one) => /^\s*error\s/.test(one)));

/** The most inputs that are decoded, and the longest. */
const mostCalls = 100;
const longestInput = 3_000;

/** The calldata of a transaction, or of the calls of a trace; each once. */
function calldataIn(method: string, value: Json, most: number): readonly string[] {
  const view = methodOf(method)?.result;
  const found = new Set<string>();
  const walk = (part: Json, name: string): void => {
    if (found.size >= most) return;
    if (typeof part === "string") {
      const isCalldata = name === "input" && part.length >= 10 && part.length <= longestInput;
      if (isCalldata) found.add(part);
    } else if (Array.isArray(part)) for (const one of part) walk(one, "");
    else if (isObject(part)) for (const [key, one] of Object.entries(part)) walk(one, key);
  };
  if (view === "trace" || view === "transaction") walk(value, "");
  return [...found];
}

/** The logs that a result is made of, or that a receipt holds. */
function logsIn(method: string, value: Json): readonly Log[] {
  const list =
    method === "eth_getLogs"
      ? value
      : method === "eth_getTransactionReceipt" && isObject(value)
        ? value.logs
        : undefined;
  const logs: readonly Json[] = Array.isArray(list) ? list : [];
  const isLog = (one: unknown): one is Log =>
    isObject(one) && Array.isArray(one.topics) && typeof one.data === "string";
  return logs.every(isLog) ? (logs as unknown as readonly Log[]) : [];
}

function withRevert(failure: RpcFailure, { declared }: Hints, evm: Evm | undefined): RpcFailure {
  const data = revertData(failure);
  const revert = data !== undefined && evm ? evm.decodeRevert(data, errorsIn(declared)) : undefined;
  return revert ? { ...failure, revert } : failure;
}

/** The bytes that a contract gave up with, where the node passes them on. */
function revertData({ data }: RpcFailure): string | undefined {
  const inner = isObject(data) ? (data.data ?? data.result) : data;
  const found = typeof inner === "string" ? /0x[0-9a-fA-F]{8,}/.exec(inner)?.[0] : undefined;
  return found;
}

function isObject(value: unknown): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value, cut to what an editor draws without a pause. */
export interface Bounded {
  readonly value: Json;
  /** Of the whole value as JSON. */
  readonly bytes: number;
  readonly cut: boolean;
  /** The shortened lists and texts, outermost first. */
  readonly whole: readonly RpcWhole[];
}

/** A line of the editor's own output is no longer than that. */
const shortest = 64;

/** The most shortened places that are reported. */
const mostPlaces = 300;

/** Lists lose their end and texts their rest, until what is left has about `maxBytes` as JSON. */
export function bounded(value: Json, maxBytes: number): Bounded {
  const bytes = exactText(value).length;
  if (bytes <= maxBytes) return { value, bytes, cut: false, whole: [] };
  const found: RpcWhole[] = [];
  const kept = cutTo(value, maxBytes, { sizeOf: createSizes(), path: [], found });
  const whole = found.toSorted((a, b) => a.path.length - b.path.length).slice(0, mostPlaces);
  return { value: kept, bytes, cut: true, whole };
}

/** Where in the whole a value is cut. */
interface Place {
  readonly sizeOf: Sizes;
  readonly path: RpcWhole["path"];
  readonly found: RpcWhole[];
}

type Sizes = (value: Json) => number;

/** How long values are as JSON. Each is looked at once, however deep it lies. */
function createSizes(): Sizes {
  const known = new Map<Json, number>();
  const sizeOf: Sizes = (value) => {
    if (typeof value !== "object" || value === null) return exactText(value).length;
    const found = known.get(value);
    if (found !== undefined) return found;
    let size = 2;
    if (isList(value)) for (const item of value) size += sizeOf(item) + 1;
    else
      for (const [key, member] of Object.entries(value)) size += exactText(key).length + sizeOf(member) + 2;
    known.set(value, size);
    return size;
  };
  return sizeOf;
}

function cutTo(value: Json, budget: number, place: Place): Json {
  if (typeof value === "string") {
    if (value.length <= budget) return value;
    place.found.push({ path: place.path, length: value.length });
    return `${value.slice(0, Math.max(shortest, budget))}…`;
  }
  if (isList(value)) return cutList(value, budget, place);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const sizes = entries.map(([, member]) => place.sizeOf(member));
  const small = sizes.filter((size) => size <= shortest * 2).reduce((sum, size) => sum + size, 0);
  const large = sizes.filter((size) => size > shortest * 2).length;
  const share = Math.max(shortest, (budget - small) / Math.max(1, large));
  return Object.fromEntries(
    entries.map(([key, member], at) => [
      key,
      (sizes[at] ?? 0) <= shortest * 2 ? member : cutTo(member, share, within(place, key)),
    ]),
  );
}

function within(place: Place, step: string | number): Place {
  return { ...place, path: [...place.path, step] };
}

function cutList(items: readonly Json[], budget: number, place: Place): Json {
  const kept: Json[] = [];
  let left = budget;
  for (const item of items) {
    const size = place.sizeOf(item);
    if (size > left) {
      if (kept.length === 0) kept.push(cutTo(item, left, within(place, 0)));
      break;
    }
    kept.push(item);
    left -= size + 1;
  }
  if (kept.length < items.length) place.found.push({ path: place.path, length: items.length });
  return kept;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
