import { stringIn } from "../../../shared/stringIn.ts";
import { isList, isObject, type JsonObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { type Writing, wholeLength } from "./fields/fieldText.ts";
import { toWhole } from "./fields/numbers.ts";

/** Contains the original lengths of cut lists. */
type Lengths = Pick<Writing, "wholes">;

/** A call of a trace of any tracer. Its children are parsed when they are shown. */
export interface TraceCall {
  readonly type: string;
  readonly from?: string;
  readonly to?: string;
  readonly value?: bigint;
  readonly gasUsed?: bigint;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly children: readonly JsonObject[] | readonly TraceCall[];
  /** The number of all children, including those that were cut off. */
  readonly count: number;
  readonly read: (child: JsonObject | TraceCall) => TraceCall;
}

export interface TraceRoot {
  /** The transaction, if the trace has several. */
  readonly title?: string;
  readonly call: TraceCall;
}

/** The calls of a debug_trace…, trace_… or starknet_trace… result; undefined for other values. */
export function toTraces(value: Json, writing: Lengths = {}): readonly TraceRoot[] | undefined {
  const roots = isList(value) ? fromList(value, writing) : isObject(value) ? fromObject(value, writing) : [];
  return roots.length > 0 ? roots : undefined;
}

function fromObject(value: JsonObject, writing: Lengths): readonly TraceRoot[] {
  if (isList(value.trace)) return fromFlat(value.trace.filter(isObject), stringIn(value.transactionHash));
  if (isObject(value.result)) return titled(fromObject(value.result, writing), stringIn(value.txHash));
  if (isObject(value.trace_root))
    return titled(fromObject(value.trace_root, writing), stringIn(value.transaction_hash));
  if (typeof value.type === "string" && "from" in value) return [{ call: fromGeth(value, writing) }];
  return Object.entries(value).flatMap(([name, part]) =>
    isObject(part) && isList(part.calls)
      ? [{ title: name.replaceAll("_", " "), call: fromStarknet(part, writing) }]
      : [],
  );
}

function fromList(list: readonly Json[], writing: Lengths): readonly TraceRoot[] {
  const objects = list.filter(isObject);
  const [first] = objects;
  if (!first) return [];
  return first.action ? fromFlat(objects) : objects.flatMap((one) => fromObject(one, writing));
}

function titled(roots: readonly TraceRoot[], title: string | undefined): readonly TraceRoot[] {
  return title
    ? roots.map((root) => ({ ...root, title: root.title ? `${title}: ${root.title}` : title }))
    : roots;
}

/** Result of Geth's callTracer. */
function fromGeth(call: JsonObject, writing: Lengths): TraceCall {
  return {
    type: stringIn(call.type) ?? "call",
    ...parties(call.from, call.to),
    ...amounts(call.value, call.gasUsed),
    ...bytes(call.input, call.output),
    ...failure(stringIn(call.revertReason) ?? stringIn(call.error)),
    ...childrenOf(call, writing),
    read: (child) => fromGeth(child as JsonObject, writing),
  };
}

function fromStarknet(call: JsonObject, writing: Lengths): TraceCall {
  const used = isObject(call.execution_resources) ? call.execution_resources : {};
  return {
    type: stringIn(call.entry_point_type) ?? stringIn(call.call_type) ?? "CALL",
    ...parties(call.caller_address, call.contract_address),
    ...amounts(undefined, used.l2_gas ?? used.l1_gas ?? used.steps),
    ...bytes(call.entry_point_selector, undefined),
    ...failure(stringIn(call.revert_reason)),
    ...childrenOf(call, writing),
    read: (child) => fromStarknet(child as JsonObject, writing),
  };
}

/** Flat traces (OpenEthereum) have a path. The traces of each transaction become one tree. */
function fromFlat(traces: readonly JsonObject[], title?: string): readonly TraceRoot[] {
  const roots: TraceRoot[] = [];
  const byPlace = new Map<string, TraceCall & { children: TraceCall[] }>();
  for (const trace of traces) {
    const path = isList(trace.traceAddress) ? trace.traceAddress.map((part) => JSON.stringify(part)) : [];
    const transaction = stringIn(trace.transactionHash);
    const place = (steps: readonly string[]) => JSON.stringify([transaction, steps]);
    const children: TraceCall[] = [];
    const call = {
      ...fromAction(trace),
      children,
      get count() {
        return children.length;
      },
    };
    const parent = path.length > 0 ? byPlace.get(place(path.slice(0, -1))) : undefined;
    byPlace.set(place(path), call);
    if (parent) parent.children.push(call);
    else
      roots.push({ ...((title ?? transaction) ? { title: title ?? transaction } : {}), call } as TraceRoot);
  }
  return roots;
}

function childrenOf({ calls }: JsonObject, writing: Lengths): Pick<TraceCall, "children" | "count"> {
  if (!isList(calls)) return { children: [], count: 0 };
  return { children: calls.filter(isObject), count: wholeLength(calls, writing) };
}

function fromAction(trace: JsonObject): Omit<TraceCall, "children" | "count"> {
  const action = isObject(trace.action) ? trace.action : {};
  const result = isObject(trace.result) ? trace.result : {};
  const to = action.to ?? result.address ?? action.refundAddress ?? action.author;
  return {
    type: stringIn(action.callType) ?? stringIn(action.rewardType) ?? stringIn(trace.type) ?? "call",
    ...parties(action.from ?? action.address, to),
    ...amounts(action.value ?? action.balance, result.gasUsed),
    ...bytes(action.input ?? action.init, result.output),
    ...failure(stringIn(trace.error)),
    read: (child) => child as TraceCall,
  };
}

function parties(from: Json | undefined, to: Json | undefined) {
  return { ...(typeof from === "string" ? { from } : {}), ...(typeof to === "string" ? { to } : {}) };
}

function amounts(value: Json | undefined, gasUsed: Json | undefined) {
  const [amount, gas] = [toWhole(value), toWhole(gasUsed)];
  return {
    ...(amount === undefined ? {} : { value: amount }),
    ...(gas === undefined ? {} : { gasUsed: gas }),
  };
}

function bytes(input: Json | undefined, output: Json | undefined) {
  return {
    ...(typeof input === "string" ? { input } : {}),
    ...(typeof output === "string" ? { output } : {}),
  };
}

function failure(error: string | undefined) {
  return error ? { error } : {};
}
