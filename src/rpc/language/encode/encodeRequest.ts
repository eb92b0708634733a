import { messageOf } from "../../../shared/messageOf.ts";
import { methodOf, type Param } from "../../../shared/rpc/catalog/catalog.ts";
import { signatureEffort, spend } from "../check/effort.ts";
import type { Request, Value } from "../parse/nodes.ts";
import type { EvmTools } from "./applyFunction.ts";
import { type EncodeContext, type EncodedValue, encodeValue, unknownYet } from "./encodeValue.ts";
import { argumentTypes, type EncodeType, topicTypes } from "./valueTypes.ts";

/** The decoder for the result of a line; `to` is the contract. */
export type ResultDecoding =
  | { readonly by: "call"; readonly signature: string; readonly to: unknown }
  | { readonly by: "logs"; readonly signature: string };

/** The parts of a `call` line before they are encoded as calldata. */
export interface ContractCall {
  readonly to: unknown;
  /** `balanceOf(address)(uint256)`, or a declaration of an ABI. */
  readonly signature: string;
  readonly args: readonly unknown[];
  /** `from`, `value`, `gas`. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly block: unknown;
}

/** A line as a JSON-RPC call. Unknown parts are `unknownYet`. */
export interface EncodedRequest extends Omit<EncodedValue, "value"> {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly decoding?: ResultDecoding;
  /** For `call` lines. */
  readonly call?: ContractCall;
  /** Repeated until the result is not null. */
  readonly waits: boolean;
}

/** A short form of a method. */
interface Sugar {
  readonly method: string;
  readonly params: readonly Param[];
  readonly options: readonly string[];
  readonly summary: string;
}

/** Short forms of methods, with simpler parameters. */
export const sugars: ReadonlyMap<string, Sugar> = new Map<string, Sugar>([
  [
    "call",
    {
      method: "eth_call",
      params: [param("contract", "address"), param("function", "string"), param("arguments", "json", true)],
      options: ["at", "from", "value", "gas"],
      summary:
        "Calls a function of a contract, `call $token balanceOf(address)(uint256) $me`, and decodes the result.",
    },
  ],
  [
    "logs",
    {
      method: "eth_getLogs",
      params: [param("contract", "address"), param("event", "string", true), param("indexed", "json", true)],
      options: ["from", "to"],
      summary:
        "Finds events of a contract, `logs $token Transfer(address,address,uint256) from:-200`, and decodes them.",
    },
  ],
  [
    "send",
    {
      method: "eth_sendRawTransaction",
      params: [param("transaction", "data")],
      options: [],
      summary: "Sends a signed transaction after a confirmation. The service records its hash.",
    },
  ],
  [
    "wait",
    {
      method: "eth_getTransactionReceipt",
      params: [param("hash", "hash")],
      options: [],
      summary: "Waits until a transaction is mined, and returns its receipt.",
    },
  ],
]);

function param(name: string, type: Param["type"], optional = false): Param {
  return { name, type, optional };
}

/** The JSON-RPC method of a line. */
export function wireMethod(method: string): string {
  return sugars.get(method)?.method ?? method;
}

/** The parameters of a method or a short form; undefined for methods without a description. */
export function paramsOf(method: string): readonly Param[] | undefined {
  return sugars.get(method)?.params ?? methodOf(method)?.params;
}

export function encodeRequest(request: Request, context: EncodeContext): EncodedRequest {
  const gather = new Gathering(context);
  const method = wireMethod(request.method.text);
  switch (request.method.text) {
    case "call":
      return { method, ...encodeCall(request, gather), ...gather.done(), waits: false };
    case "logs":
      return { method, ...encodeLogs(request, gather), ...gather.done(), waits: false };
    default: {
      const described = paramsOf(request.method.text);
      const params = request.args.map(
        (value, index) => gather.encodeValue(value, described?.[index]?.type ?? "json").value,
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

/** The values of a line as they are encoded, and what they need. */
class Gathering {
  readonly context: EncodeContext;
  readonly #all: Found[] = [];

  constructor(context: EncodeContext) {
    this.context = context;
  }

  encodeValue(value: Value, type: EncodeType): EncodedValue {
    const encoded = encodeValue(value, type, this.context);
    this.#all.push(encoded);
    return encoded;
  }

  /** Encodes the arguments of `call` and `logs` with the library. */
  encode({ args, method }: Request, from: Encoded, make: (evm: EvmTools) => unknown): unknown {
    const { evm, effort } = this.context;
    const left = { ...nothing, isKnown: false, needsEvm: true };
    const { start, end } = args[1] ?? method;
    try {
      if (!evm || from.args.some(({ isKnown }) => !isKnown)) this.#all.push(left);
      else if (!spend(effort, effortOf(args, from))) this.#all.push({ ...left, leavesOut: true });
      else {
        this.#all.push({ ...nothing, needsEvm: true });
        return make(evm);
      }
    } catch (error) {
      const message = messageOf(error);
      this.#all.push({ ...left, problems: [{ start, end, message }] });
    }
    return unknownYet;
  }

  done(): Found {
    const all = this.#all;
    return {
      size: all.reduce((sum, { size }) => sum + size, 0),
      problems: all.flatMap(({ problems }) => problems),
      waitsFor: all.flatMap(({ waitsFor }) => waitsFor),
      names: new Set(all.flatMap(({ names }) => [...names])),
      needsHead: all.some(({ needsHead }) => needsHead),
      needsEvm: all.some(({ needsEvm }) => needsEvm),
      leavesOut: all.some(({ leavesOut }) => leavesOut),
      isKnown: all.every(({ isKnown }) => isKnown),
      ...withheldIn(all),
    };
  }
}

function withheldIn(all: readonly Found[]): Pick<Found, "withheld"> {
  const withheld = all.find((one) => one.withheld !== undefined)?.withheld;
  return withheld === undefined ? {} : { withheld };
}

const nothing: Found = {
  size: 0,
  problems: [],
  waitsFor: [],
  names: new Set(),
  needsHead: false,
  needsEvm: false,
  leavesOut: false,
  isKnown: true,
};

function effortOf(written: readonly Value[], { signature, args }: Encoded): number {
  const length = signatureEffort(signature) + (written.at(-1)?.end ?? 0) - (written[0]?.start ?? 0);
  return args.reduce((sum, { size }) => sum + size, length);
}

type EncodedParams = Pick<EncodedRequest, "params" | "decoding" | "call">;

function encodeCall(request: Request, gather: Gathering): EncodedParams {
  const { to, signature, args, options } = readSugar(request, gather);
  const data = gather.encode(request, { signature, args }, (evm) =>
    evm.encodeCall(signature, args.map(plainValue)),
  );
  const { at = "latest", ...others } = options;
  const call = { to, signature, args: args.map(plainValue), options: others, block: at };
  return { params: [{ to, data, ...others }, at], decoding: { by: "call", signature, to }, call };
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
  const plain = request.args.filter(({ kind }) => kind !== "option");
  const [contract, , ...rest] = plain;
  const options = new Map<string, unknown>();
  for (const one of request.args) {
    if (one.kind !== "option") continue;
    const isCaller = request.method.text === "call" && one.name.text === "from";
    const type = isCaller ? "address" : (optionTypes.get(one.name.text) ?? "json");
    options.set(one.name.text, gather.encodeValue(one.value, type).value);
  }
  const signature = signatureOf(request, gather.context, (value, type) => gather.encodeValue(value, type));
  const types = typesIn(request, signature);
  return {
    to: contract && gather.encodeValue(contract, "address").value,
    signature,
    args: rest.map((value, at) => gather.encodeValue(value, types[at] ?? "abi")),
    options: Object.fromEntries(options),
  };
}

/** The function of a `call` or the event of a `logs` line, with its types if they are declared; empty without one. */
function signatureOf(
  { method, args }: Request,
  context: EncodeContext,
  encode: (value: Value, type: EncodeType) => EncodedValue,
): string {
  const [, function_, ...rest] = args.filter(({ kind }) => kind !== "option");
  const written = function_ ? encode(function_, "string").value : "";
  const kind = method.text === "call" ? "function" : "event";
  return typeof written === "string" ? context.declaration(written, kind, rest.length) : "";
}

function typesIn({ method }: Request, signature: string): readonly EncodeType[] {
  return method.text === "call" ? argumentTypes(signature) : topicTypes(signature);
}

/** The types of the arguments of a short form, by their index. */
export function typesOfSugar(request: Request, context: EncodeContext): readonly EncodeType[] {
  if (request.method.text !== "call" && request.method.text !== "logs") return [];
  const encode = (value: Value, type: EncodeType) => encodeValue(value, type, context);
  const types = typesIn(request, signatureOf(request, context, encode));
  let at = -2;
  return request.args.map(({ kind }) => (kind === "option" ? "json" : (types[at++] ?? "json")));
}
