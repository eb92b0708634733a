import {
  type AbiEvent,
  type AbiParameter,
  concat,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  keccak256,
  padHex,
  size,
  stringToHex,
  toEventSelector,
} from "viem";
import { plural } from "../../shared/text/plural.ts";
import type { EvmTools } from "../language/encode/applyFunction.ts";
import { coerce, firstLine, itemParameter, readEvent, readFunction } from "./signatures/signatures.ts";

/** The encoding functions. They throw an Error with a message for the user. */
export const encoding: EvmTools = {
  encodeCall(signature, args) {
    const item = readFunction(signature);
    if (args.length !== item.inputs.length)
      throw new Error(countMismatch(item.name, item.inputs.length, args.length));
    return shortened(() =>
      encodeFunctionData({
        abi: [item],
        functionName: item.name,
        args: item.inputs.map((input, at) => coerce(input, args[at])),
      }),
    );
  },
  encodeTopics(signature, args) {
    const item = markIndexed(readEvent(signature), args.length);
    const indexed = item.inputs.filter((input) => input.indexed);
    if (args.length > indexed.length) throw new Error(countMismatch(item.name, indexed.length, args.length));
    const given = indexed.map((input, at) =>
      args[at] === null || args[at] === undefined ? null : coerce(input, args[at]),
    );
    return shortened(() => {
      // Duplicate names are an error; positions are unique.
      const inputs = item.inputs.map(({ name: _, ...input }) => input);
      // The library hashes a text such as `0xab` as bytes, and takes no list or tuple.
      const hashes = indexed.map((input, at) =>
        given[at] === null || given[at] === undefined ? undefined : hashedTopic(input, given[at]),
      );
      const others = given.map((value, at) => (hashes[at] === undefined ? value : null));
      const topics = encodeEventTopics({ abi: [{ ...item, inputs }], eventName: item.name, args: others });
      return (topics as (Hex | null)[]).slice(0, 1 + args.length).map((topic, at) => hashes[at - 1] ?? topic);
    });
  },
  eventTopic: (signature) => shortened(() => toEventSelector(readEvent(signature))),
  keccak: (hex) => keccak256(hex as Hex),
};

/** The topic of a text, a list or a tuple, which is a hash; undefined for other types. */
function hashedTopic(input: AbiParameter, value: unknown): Hex | undefined {
  if (input.type === "string") return keccak256(stringToHex(String(value)));
  return /^tuple|\]$/.test(input.type) ? keccak256(inPlace(input, value)) : undefined;
}

/** The bytes of a value in the hash of a topic: the parts one after the other, without lengths and offsets. */
function inPlace(parameter: AbiParameter, value: unknown): Hex {
  const { type } = parameter;
  const item = itemParameter(parameter);
  if (item) return concat((value as readonly unknown[]).map((one) => inPlace(item, one)));
  if (type === "tuple") {
    const components = "components" in parameter ? parameter.components : [];
    const members = Object.values(value as object);
    return concat(components.map((component, at) => inPlace(component, members[at])));
  }
  if (type !== "string" && type !== "bytes") return encodeAbiParameters([parameter], [value]);
  const bytes = type === "string" ? stringToHex(String(value)) : (value as Hex);
  return padHex(bytes, { dir: "right", size: Math.ceil(size(bytes) / 32) * 32 });
}

/** Marks the first inputs as indexed, if a signature does not state which are. */
export function markIndexed(item: AbiEvent, count: number): AbiEvent {
  if (item.inputs.filter(({ indexed }) => indexed).length >= count) return item;
  return { ...item, inputs: item.inputs.map((input, at) => ({ ...input, indexed: at < count })) };
}

function countMismatch(name: string, expected: number, given: number): string {
  return `${name} takes ${plural(expected, "value")}, not ${given}`;
}

function shortened<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    throw new Error(firstLine(error));
  }
}
