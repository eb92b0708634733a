import type { EvmTools } from "./applyFunction.ts";
import { methodOf, type Param } from "./catalog/catalog.ts";
import {
  type EncodeContext,
  type EncodedValue,
  type EncodeType,
  encodeValue,
  signatureEffort,
  spend,
  unknownYet,
} from "./encodeValue.ts";
import type { Request, Value } from "./nodes.ts";

/** How a line's answer is read with the help of what the line says. */
export type ResultDecoding =
  | { readonly by: "call"; readonly signature: string }
  | { readonly by: "logs"; readonly signature: string };

/** A line as one JSON-RPC call. Parts that are not known yet are `unknownYet`. */
export interface EncodedRequest extends Omit<EncodedValue, "value"> {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly decoding?: ResultDecoding;
  /** Asked again until there is an answer. */
  readonly waits: boolean;
}

/** A friendlier form of a method. */
interface Sugar {
  readonly method: string;
  readonly params: readonly Param[];
  readonly options: readonly string[];
  readonly summary: string;
}

/** Words that stand for a method with a friendlier form of parameters. */
export const sugars: ReadonlyMap<string, Sugar> = new Map<string, Sugar>([
  [
    "call",
    {
      method: "eth_call",
      params: [param("contract", "address"), param("function", "string"), param("arguments", "json", true)],
      options: ["at", "from", "value", "gas"],
      summary:
        "Calls a contract's function, `call $token balanceOf(address)(uint256) $me`, and decodes what it returns.",
    },
  ],
  [
    "logs",
    {
      method: "eth_getLogs",
      params: [param("contract", "address"), param("event", "string", true), param("indexed", "json", true)],
      options: ["from", "to"],
      summary:
        "Looks for a contract's events, `logs $token Transfer(address,address,uint256) from:-200`, and decodes them.",
    },
  ],
  [
    "send",
    {
      method: "eth_sendRawTransaction",
      params: [param("transaction", "data")],
      options: [],
      summary: "Hands in a signed transaction, after it was shown. The service records its hash.",
    },
  ],
  [
    "wait",
    {
      method: "eth_getTransactionReceipt",
      params: [param("hash", "hash")],
      options: [],
      summary: "Waits until a transaction is mined, and gives its receipt.",
    },
  ],
]);

function param(name: string, type: Param["type"], optional = false): Param {
  return { name, type, optional };
}

/** The method that a line asks for on the wire. */
export function wireMethod(method: string): string {
  return sugars.get(method)?.method ?? method;
}

/** The parameters of a line as it is written, friendlier forms included; undefined for a method without description. */
export function paramsOf(method: string): readonly Param[] | undefined {
  return sugars.get(method)?.params ?? methodOf(method)?.params;
}

export function encodeRequest(request: Request, context: EncodeContext): EncodedRequest {
  const gather = createGathering(context);
  const method = wireMethod(request.method.text);
  switch (request.method.text) {
    case "call":
      return { method, ...encodeCall(request, gather), ...gather.done(), waits: false };
    case "logs":
      return { method, ...encodeLogs(request, gather), ...gather.done(), waits: false };
    default: {
      const known = paramsOf(request.method.text);
      const params = request.args.map(
        (value, index) => gather.encodeValue(value, known?.[index]?.type ?? "json").value,
      );
      return { method, params, ...gather.done(), waits: request.method.text === "wait" };
    }
  }
}

type Found = Omit<EncodedValue, "value">;

interface Encoded {
  readonly signature: string;
  readonly args: readonly EncodedValue[];
}

interface Gathering {
  encodeValue(value: Value, type: EncodeType): EncodedValue;
  /** What the library makes of the arguments of `call` and `logs`. */
  encode(request: Request, from: Encoded, make: (evm: EvmTools) => unknown): unknown;
  readonly context: EncodeContext;
  done(): Found;
}

function createGathering(context: EncodeContext): Gathering {
  const all: Found[] = [];
  return {
    context,
    encodeValue(value, type) {
      const encoded = encodeValue(value, type, context);
      all.push(encoded);
      return encoded;
    },
    encode({ args, method }, from, make) {
      const left = { ...nothing, isKnown: false, needsEvm: true };
      const { start, end } = args[1] ?? method;
      try {
        if (!context.evm || from.args.some(({ isKnown }) => !isKnown)) all.push(left);
        else if (!spend(context.effort, effortOf(args, from))) all.push({ ...left, leavesOut: true });
        else {
          all.push({ ...nothing, needsEvm: true });
          return make(context.evm);
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        all.push({ ...left, problems: [{ start, end, message }] });
      }
      return unknownYet;
    },
    done: () => ({
      size: all.reduce((sum, { size }) => sum + size, 0),
      problems: all.flatMap(({ problems }) => problems),
      waitsFor: all.flatMap(({ waitsFor }) => waitsFor),
      needsHead: all.some(({ needsHead }) => needsHead),
      needsEvm: all.some(({ needsEvm }) => needsEvm),
      leavesOut: all.some(({ leavesOut }) => leavesOut),
      isKnown: all.every(({ isKnown }) => isKnown),
    }),
  };
}

const nothing: Found = {
  size: 0,
  problems: [],
  waitsFor: [],
  needsHead: false,
  needsEvm: false,
  leavesOut: false,
  isKnown: true,
};

function effortOf(written: readonly Value[], { signature, args }: Encoded): number {
  const length = signatureEffort(signature) + (written.at(-1)?.end ?? 0) - (written[0]?.start ?? 0);
  return args.reduce((sum, { size }) => sum + size, length);
}

type EncodedParams = Pick<EncodedRequest, "params" | "decoding">;

function encodeCall(request: Request, gather: Gathering): EncodedParams {
  const { to, signature, args, options } = readSugar(request, gather);
  const data = gather.encode(request, { signature, args }, (evm) =>
    evm.encodeCall(signature, args.map(plainValue)),
  );
  const { at = "latest", ...others } = options;
  return { params: [{ to, data, ...others }, at], decoding: { by: "call", signature } };
}

function encodeLogs(request: Request, gather: Gathering): EncodedParams {
  const { to, signature, args, options } = readSugar(request, gather);
  const range = { fromBlock: options.from ?? "latest", toBlock: options.to ?? "latest" };
  const address = to === null || to === undefined ? {} : { address: to };
  if (signature === "") return { params: [{ ...address, ...range }] };
  const topics = gather.encode(request, { signature, args }, (evm) =>
    evm.encodeTopics(signature, args.map(plainValue)),
  );
  return { params: [{ ...address, topics, ...range }], decoding: { by: "logs", signature } };
}

function plainValue({ value }: EncodedValue): unknown {
  return value;
}

const optionTypes: ReadonlyMap<string, Param["type"]> = new Map<string, Param["type"]>([
  ["at", "block"],
  ["from", "block"],
  ["to", "block"],
  ["value", "quantity"],
  ["gas", "quantity"],
]);

function readSugar(request: Request, gather: Gathering) {
  const isCall = request.method.text === "call";
  const plain = request.args.filter(({ kind }) => kind !== "option");
  const [contract, function_, ...rest] = plain;
  const options = new Map<string, unknown>();
  for (const one of request.args) {
    if (one.kind !== "option") continue;
    const type = isCall && one.name.text === "from" ? "address" : (optionTypes.get(one.name.text) ?? "json");
    options.set(one.name.text, gather.encodeValue(one.value, type).value);
  }
  const said = function_ ? gather.encodeValue(function_, "string").value : "";
  const kind = isCall ? "function" : "event";
  return {
    to: contract && gather.encodeValue(contract, "address").value,
    signature: typeof said === "string" ? gather.context.declaration(said, kind, rest.length) : "",
    args: rest.map((value) => gather.encodeValue(value, "abi")),
    options: Object.fromEntries(options),
  };
}
