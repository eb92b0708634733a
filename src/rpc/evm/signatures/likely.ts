import {
  type AbiEvent,
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbiItem,
  stringToBytes,
} from "viem";
import { memo } from "../../language/memo.ts";
import type { RpcEvent } from "../../output/rpcOutput.ts";
import { asHashed, attempt, toValues } from "../decode/decodedValues.ts";
import { likelyErrors, likelyEvents, likelyFunctions } from "./likelySignatures.ts";

interface Table {
  readonly kind: "function" | "error" | "event";
  readonly signatures: string;
  /** Characters of a selector, `0x` included. */
  readonly length: number;
}

const functions: Table = { kind: "function", signatures: likelyFunctions, length: 10 };
const errors: Table = { kind: "error", signatures: likelyErrors, length: 10 };
const events: Table = { kind: "event", signatures: likelyEvents, length: 66 };

/** Signatures by selector. They are parsed when they are used, because parsing is slower than hashing. */
const tableOf = memo(
  ({ signatures, length }: Table): ReadonlyMap<string, string> =>
    new Map(
      signatures
        .trim()
        .split(/\s+/)
        .map((one) => [keccak256(stringToBytes(one.replaceAll("#", ""))).slice(0, length), one]),
    ),
);

/** Values of longer data are not decoded (characters). */
const longestData = 20_000;

/** The function that calldata may call. It has values only if they encode to the same bytes. */
export function likelyCall(input: string): RpcEvent | undefined {
  return likelyPrefixed(functions, input);
}

/** The custom error that revert data may contain. It has values only if they encode to the same bytes. */
export function likelyError(data: string): RpcEvent | undefined {
  return likelyPrefixed(errors, data);
}

function likelyPrefixed(table: Table, data: string): RpcEvent | undefined {
  const item = itemOf(table, data);
  return item && toLikely(item, valuesOf(item.inputs, `0x${data.slice(10)}`));
}

/** The event of a log. Its parameters are a guess, as contracts choose which of them are indexed. */
export function likelyEvent([topic = "", ...indexed]: readonly string[], data: string): RpcEvent | undefined {
  const item = itemOf(events, topic);
  if (!item) return undefined;
  const isIndexed = (parameter: AbiParameter) => "indexed" in parameter && parameter.indexed === true;
  const isPublished = item.inputs.filter(isIndexed).length === indexed.length;
  const inTopic = item.inputs.map((one, at) => (isPublished ? isIndexed(one) : at < indexed.length));
  const rest = valuesOf(
    item.inputs.filter((_, at) => !inTopic[at]),
    data,
  );
  let [topicsRead, valuesRead] = [0, 0];
  const values = item.inputs.map((input, at) =>
    inTopic[at] ? topicValue(input, indexed[topicsRead++] ?? "") : rest?.[valuesRead++],
  );
  const inputs = item.inputs.map((input, at) => (inTopic[at] ? asHashed(input) : input));
  return toLikely({ ...item, inputs }, values.includes(undefined) ? undefined : values);
}

function topicValue(input: AbiParameter, topic: string): unknown {
  // The topic of a text, a list or a tuple is its hash.
  return /^(?:string|bytes|tuple)$|]$/.test(input.type) ? topic : valuesOf([input], topic)?.[0];
}

interface Item {
  readonly name: string;
  readonly inputs: readonly AbiParameter[];
  readonly signature: string;
}

function itemOf(table: Table, data: string): Item | undefined {
  const { kind, length } = table;
  const found = tableOf(table).get(data.slice(0, length).toLowerCase());
  if (found === undefined) return undefined;
  const declaration = `${kind} ${found.replaceAll("#", " indexed")}`;
  const { name, inputs } = parseAbiItem(declaration as "event E()") as AbiEvent;
  return { name, inputs, signature: found.replaceAll("#", "") };
}

/** Values that encode to exactly these bytes. */
function valuesOf(inputs: readonly AbiParameter[], data: string): readonly unknown[] | undefined {
  if (data.length > longestData) return undefined;
  return attempt(() => {
    const values = decodeAbiParameters(inputs, data as Hex);
    return encodeAbiParameters(inputs, values) === data.toLowerCase() ? values : undefined;
  });
}

function toLikely({ name, inputs, signature }: Item, values: readonly unknown[] | undefined): RpcEvent {
  return { name, values: values ? toValues(inputs, values) : [], likely: signature };
}
