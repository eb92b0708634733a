import {
  type AbiEvent,
  type AbiFunction,
  type AbiParameter,
  decodeAbiParameters,
  decodeErrorResult,
  decodeEventLog,
  type Hex,
  parseAbi,
  toEventSelector,
  toFunctionSelector,
} from "viem";
import { maxSignature } from "../../language/encode/applyFunction.ts";
import { memo } from "../../language/memo.ts";
import type { RpcEvent, RpcRevert, RpcValue } from "../../output/rpcOutput.ts";
import { markIndexed } from "../encode.ts";
import { likelyCall, likelyError, likelyEvent } from "../signatures/likely.ts";
import { readEvent, readFunction } from "../signatures/signatures.ts";
import { asHashed, attempt, toValues } from "./decodedValues.ts";
import { knownErrors, knownEvents, knownFunctions } from "./knownAbi.ts";

/** Decodes the result of a call; undefined if the signature has no outputs or the data does not match them. */
export function decodeCallResult(signature: string, data: string): readonly RpcValue[] | undefined {
  const { outputs } = readFunction(signature);
  if (outputs.length === 0) return undefined;
  return attempt(() => toValues(outputs, decodeAbiParameters(outputs, data as Hex)));
}

export interface Log {
  readonly topics: readonly string[];
  readonly data: string;
}

interface EventWithTopic {
  readonly event: AbiEvent;
  readonly topic: string;
}

/** Events by topic. Memoized, because a list of declarations is used for many logs. */
const eventsOf = memo((declared: readonly string[]): ReadonlyMap<string, readonly AbiEvent[]> => {
  const byTopic = new Map<string, AbiEvent[]>();
  const read = (one: string): EventWithTopic => {
    const event = readEvent(one);
    return { event, topic: toEventSelector(event) };
  };
  for (const one of declared) {
    const found = attempt(() => read(one));
    if (!found) continue;
    const same = byTopic.get(found.topic) ?? [];
    same.push(found.event);
    byTopic.set(found.topic, same);
  }
  return byTopic;
});

/** Decodes a log by the first event that matches: of `before`, of `declared`, of the well-known ones, else a likely one. */
export function decodeLog(
  { topics, data }: Log,
  declared: readonly string[],
  before: readonly string[] = [],
): RpcEvent | undefined {
  const [topic = ""] = topics;
  const candidates = [before, declared, knownEvents].flatMap((list) => eventsOf(list).get(topic) ?? []);
  for (const candidate of candidates) {
    const event = markIndexed(candidate, topics.length - 1);
    // Without names viem decodes to a list, in the order of the inputs.
    const inputs = event.inputs.map(({ name: _, ...input }) => input);
    const found = attempt(() =>
      decodeEventLog({
        abi: [{ ...event, inputs }],
        data: data as Hex,
        topics: topics as [Hex, ...Hex[]],
        strict: true,
      }),
    );
    if (!found) continue;
    const values: unknown = found.args;
    const named = withNames(event, candidates);
    return {
      name: event.name,
      values: toValues(
        named.map((input) => (input.indexed ? asHashed(input) : input)),
        Array.isArray(values) ? values : [],
      ),
    };
  }
  return likelyEvent(topics, data);
}

/** The inputs of an event. If they have no names, those of a candidate with the same types are used. */
function withNames({ inputs }: AbiEvent, candidates: readonly AbiEvent[]): AbiEvent["inputs"] {
  if (inputs.some(({ name }) => name)) return inputs;
  const named = candidates.find((one) => one.inputs.every(({ name }) => name));
  return inputs.map((input, at) => ({ ...input, name: named?.inputs[at]?.name ?? "" }));
}

/** Functions by selector. The first with a selector wins. */
const functionsOf = memo((declared: readonly string[]): ReadonlyMap<string, AbiFunction> => {
  const bySelector = new Map<string, AbiFunction>();
  for (const one of declared) {
    const item = attempt(() => readFunction(one));
    const selector = item && attempt(() => toFunctionSelector(item));
    if (item && selector && !bySelector.has(selector)) bySelector.set(selector, item);
  }
  return bySelector;
});

/** Decodes calldata by a declared or a well-known function, else by a likely one. */
export function decodeCalldata(input: string, declared: readonly string[]): RpcEvent | undefined {
  if (!/^0x[0-9a-f]{8,}$/i.test(input)) return undefined;
  const selector = input.slice(0, 10).toLowerCase();
  for (const list of [declared, knownFunctions]) {
    const item = functionsOf(list).get(selector);
    const values =
      item && attempt(() => toValues(item.inputs, decodeAbiParameters(item.inputs, `0x${input.slice(10)}`)));
    if (item && values) return { name: item.name, values };
    // A function without inputs ignores the rest of the calldata.
    if (item?.inputs.length === 0) return { name: item.name, values: [] };
  }
  return likelyCall(input);
}

const errorsOf = memo((declared: readonly string[]) =>
  declared.flatMap((one) => {
    if (one.length > maxSignature) return [];
    return attempt(() => parseAbi([one] as ["error E()"])) ?? [];
  }),
);

/** Decodes revert data: Error(string), Panic(uint256), or a declared error, else a likely one. */
export function decodeRevert(data: string, declared: readonly string[]): RpcRevert | undefined {
  if (!/^0x[0-9a-f]{8,}$/i.test(data)) return undefined;
  const abi = [...errorsOf(declared), ...errorsOf(knownErrors)];
  const found = attempt(() => decodeErrorResult({ abi: abi as never, data: data as Hex }) as DecodedError);
  if (!found) return likelyError(data) ?? { name: data.slice(0, 10), values: [] };
  const { errorName: name, args, abiItem } = found;
  const values = toValues(abiItem.inputs ?? [], args ?? []);
  const reason =
    name === "Error" ? String(args?.[0] ?? "") : name === "Panic" ? panicReason(args?.[0]) : undefined;
  return { name, values, ...(reason ? { reason } : {}) };
}

interface DecodedError {
  readonly errorName: string;
  readonly args?: readonly unknown[];
  readonly abiItem: { readonly inputs?: readonly AbiParameter[] };
}

/** Panic codes of the Solidity compiler. */
const panics: Readonly<Record<string, string>> = {
  "0": "a check of the compiler failed",
  "1": "an assertion failed",
  "17": "an arithmetic overflow or underflow",
  "18": "a division by zero",
  "33": "a value outside of its enum",
  "34": "a wrongly encoded storage array",
  "49": "pop from an empty array",
  "50": "an index outside of its array",
  "65": "too much memory",
  "81": "a call of an uninitialized function",
};

function panicReason(code: unknown): string {
  return panics[String(code)] ?? `panic ${String(code)}`;
}
