import { isMembers } from "../../../shared/members.ts";
import { methodOf } from "../../../shared/rpc/catalog/catalog.ts";
import type { RpcResultView } from "../../../shared/rpc/resultView.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { Evm, Log } from "../../evm/evm.ts";
import type { ResultDecoding } from "../../language/encode/encodeRequest.ts";
import { memo } from "../../language/memo.ts";
import { authorizationsIn } from "../../output/authorizations.ts";
import type { Json, RpcDecoded, RpcFailure, RpcOutcome, RpcResult } from "../../output/rpcOutput.ts";
import { bounded } from "../bounded.ts";
import type { RunPlan } from "../plan/runPlan.ts";
import type { LineOutcome, LineState } from "../round.ts";

/** Input of decoding. */
export interface Hints {
  readonly method: string;
  readonly decoding: ResultDecoding | undefined;
  /** Declarations of @abi directives. */
  readonly declared: readonly string[];
  /** Functions that the notebook declares or calls. */
  readonly functions: readonly string[];
}

/** The hints for a line of a plan. */
export function hintsOf({ lines, notebook }: RunPlan, at: number, { decoding }: LineState): Hints {
  const { declared, functions } = notebook;
  return { method: lines[at]?.method ?? "", decoding, declared, functions };
}

/** True if decoding an outcome needs the library. */
export function needsEvm(outcome: LineOutcome, { method, decoding }: Hints): boolean {
  if (outcome.kind === "error") return revertData(outcome) !== undefined;
  if (outcome.kind !== "result") return false;
  const hasParts =
    decoding !== undefined ||
    logsIn(method, outcome.value).length > 0 ||
    authorizationsIn(outcome.value).length > 0;
  return hasParts || calldataIn(method, outcome.value, 1).length > 0;
}

/** An outcome for a view: decoded if possible, and at most `maxBytes` of JSON. */
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
  const authorities = evm ? authoritiesOf(value, outcome.value, evm) : [];
  return {
    ...result,
    ...(cut ? { cut, whole } : {}),
    ...(decoded ? { decoded } : {}),
    ...(authorities.length > 0 ? { authorities } : {}),
  };
}

/** Authorizations whose accounts are recovered, which takes some milliseconds each. */
const mostAuthorities = 50;

/** By the whole result, because its drawn part is made anew for each drawing. */
const authoritiesByText = memo((evm: Evm) =>
  memo(
    (value: object): ReadonlyMap<string, string | null> =>
      new Map(
        authorizationsIn(value as Json)
          .slice(0, mostAuthorities)
          .map(({ authorization }) => [
            exactJsonText(authorization),
            evm.readAuthorization(authorization)?.authority ?? null,
          ]),
      ),
  ),
);

function authoritiesOf(drawn: Json, value: Json, evm: Evm): readonly (string | null)[] {
  if (typeof value !== "object" || value === null) return [];
  const listed = authorizationsIn(drawn).slice(0, mostAuthorities);
  if (listed.length === 0) return [];
  const known = authoritiesByText(evm)(value);
  const found = listed.map(({ authorization }) => known.get(exactJsonText(authorization)));
  // An authorization that was cut has another text: its account and those behind it are left out.
  const end = found.indexOf(undefined);
  return found.slice(0, end < 0 ? found.length : end).map((one) => one ?? null);
}

function viewOf(method: string, value: Json): RpcResultView {
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
  const calls = calldataIn(method, value, mostCalls).flatMap(({ input, isRevert }) => {
    const decoded = isRevert
      ? evm.decodeRevert(input, errorsIn(declared))
      : evm.decodeCalldata(input, functions);
    return decoded && decoded.name !== input.slice(0, 10) ? [{ input, ...decoded }] : [];
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

/** The declarations of events. */
export const eventsIn = memo((declared: readonly string[]) =>
  declared.filter((one) => /^\s*event\s/.test(one)),
);
/** The declarations of errors. */
export const errorsIn = memo((declared: readonly string[]) =>
  declared.filter((one) => /^\s*error\s/.test(one)),
);

/** Limits of the number and length of decoded inputs. */
const mostCalls = 100;
const longestInput = 3_000;

interface CallBytes {
  readonly input: string;
  /** True for the output of a failed call. */
  readonly isRevert: boolean;
}

/** The distinct calldata of a transaction or of the calls of a trace, and the output of those that failed. */
function calldataIn(method: string, value: Json, most: number): readonly CallBytes[] {
  const view = methodOf(method)?.result;
  const found = new Map<string, CallBytes>();
  const walk = (part: Json, name: string, failed: boolean): void => {
    if (found.size >= most) return;
    if (typeof part === "string") {
      const call = callBytes(part, name, failed);
      if (call) found.set(part, call);
      return;
    }
    const isFailed = isMembers(part) && typeof part.error === "string";
    for (const [key, one] of partsOf(part)) walk(one, key, isFailed);
  };
  if (view === "trace" || view === "transaction") walk(value, "", false);
  return [...found.values()];
}

/** The items and members of a value. Items have no name. */
function partsOf(value: Json): readonly (readonly [name: string, part: Json])[] {
  if (isList(value)) return value.map((one) => ["", one]);
  return isMembers(value) ? Object.entries(value) : [];
}

/** A text of a call, if it is calldata, or the output of a call that failed. */
function callBytes(input: string, name: string, failed: boolean): CallBytes | undefined {
  const isRevert = name === "output" && failed;
  const hasLength = input.length >= 10 && input.length <= longestInput;
  return hasLength && (name === "input" || isRevert) ? { input, isRevert } : undefined;
}

/** The logs of a result or a receipt. */
function logsIn(method: string, value: Json): readonly Log[] {
  const list =
    method === "eth_getLogs"
      ? value
      : method === "eth_getTransactionReceipt" && isMembers(value)
        ? value.logs
        : undefined;
  const logs: readonly Json[] = Array.isArray(list) ? list : [];
  const isLog = (one: unknown): one is Log =>
    isMembers(one) && Array.isArray(one.topics) && typeof one.data === "string";
  return logs.every(isLog) ? (logs as unknown as readonly Log[]) : [];
}

function withRevert(failure: RpcFailure, { declared }: Hints, evm: Evm | undefined): RpcFailure {
  const data = revertData(failure);
  const revert = data !== undefined && evm ? evm.decodeRevert(data, errorsIn(declared)) : undefined;
  return revert ? { ...failure, revert } : failure;
}

/** The revert data, if the node returns it. */
function revertData({ data }: RpcFailure): string | undefined {
  const inner = isMembers(data) ? (data.data ?? data.result) : data;
  const found = typeof inner === "string" ? /0x[0-9a-fA-F]{8,}/.exec(inner)?.[0] : undefined;
  return found;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
