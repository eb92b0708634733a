import {
  type AbiEvent,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  keccak256,
  stringToHex,
  toEventSelector,
} from "viem";
import { plural } from "../../shared/text/plural.ts";
import type { EvmTools } from "../language/encode/applyFunction.ts";
import { coerce, firstLine, readEvent, readFunction } from "./signatures/signatures.ts";

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
      // The library hashes a text such as `0xab` as bytes.
      const isText = (at: number) => indexed[at]?.type === "string" && typeof given[at] === "string";
      const others = given.map((value, at) => (isText(at) ? null : value));
      const topics = encodeEventTopics({ abi: [{ ...item, inputs }], eventName: item.name, args: others });
      return (topics as (Hex | null)[])
        .slice(0, 1 + args.length)
        .map((topic, at) => (isText(at - 1) ? keccak256(stringToHex(String(given[at - 1]))) : topic));
    });
  },
  eventTopic: (signature) => shortened(() => toEventSelector(readEvent(signature))),
  keccak: (hex) => keccak256(hex as Hex),
};

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
