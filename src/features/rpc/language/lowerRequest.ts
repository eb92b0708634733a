import { methodOf, type Param } from "./catalog/catalog.ts";
import { declarationNamed } from "./declarations.ts";
import { type LiftContext, type Lifted, type LiftProblem, lift, unknownYet } from "./lift.ts";
import type { Request, Value } from "./nodes.ts";

/** How a line's answer is read with the help of what the line says. */
export type Decoding =
  | { readonly by: "call"; readonly signature: string }
  | { readonly by: "logs"; readonly signature: string };

/** A line as one JSON-RPC call. Parts that are not known yet are `unknownYet`. */
export interface LoweredRequest extends Omit<Lifted, "value"> {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly decoding?: Decoding;
  /** Asked again until there is an answer. */
  readonly waits: boolean;
}

export const sugarParams: Readonly<Record<string, readonly Param[]>> = {
  call: [param("contract", "address"), param("function", "string"), param("arguments", "json", true)],
  logs: [param("contract", "address"), param("event", "string", true), param("indexed", "json", true)],
  send: [param("transaction", "data")],
  wait: [param("hash", "hash")],
};
export const sugarMethods: Readonly<Record<string, string>> = {
  call: "eth_call",
  logs: "eth_getLogs",
  send: "eth_sendRawTransaction",
  wait: "eth_getTransactionReceipt",
};
export const sugarSummaries: Readonly<Record<string, string>> = {
  call: "Calls a contract's function, `call $token balanceOf(address)(uint256) $me`, and decodes what it returns.",
  logs: "Looks for a contract's events, `logs $token Transfer(address,address,uint256) from:-200`, and decodes them.",
  send: "Hands in a signed transaction, after it was shown. The service records its hash.",
  wait: "Waits until a transaction is mined, and gives its receipt.",
};
export const sugarOptions: Readonly<Record<string, readonly string[]>> = {
  call: ["at", "from", "value", "gas"],
  logs: ["from", "to"],
};

function param(name: string, type: Param["type"], optional = false): Param {
  return { name, type, optional };
}

/** The method that a line asks for on the wire. */
export function wireMethod(method: string): string {
  return sugarMethods[method] ?? method;
}

/** The parameters of a line as it is written, friendlier forms included; undefined for a method without description. */
export function paramsOf(method: string): readonly Param[] | undefined {
  return sugarParams[method] ?? methodOf(method)?.params;
}

export function lowerRequest(request: Request, context: LiftContext): LoweredRequest {
  const gather = createGathering(context);
  const method = wireMethod(request.method.text);
  switch (request.method.text) {
    case "call":
      return { method, ...lowerCall(request, gather), ...gather.done(), waits: false };
    case "logs":
      return { method, ...lowerLogs(request, gather), ...gather.done(), waits: false };
    default: {
      const known = paramsOf(request.method.text);
      const params = request.args.map((value, index) => gather.lift(value, known?.[index]?.type ?? "json"));
      return { method, params, ...gather.done(), waits: request.method.text === "wait" };
    }
  }
}

interface Gathering {
  lift(value: Value, type: Param["type"] | "abi"): unknown;
  attempt(request: Request, make: () => unknown): unknown;
  done(): Omit<Lifted, "value">;
  readonly evm: LiftContext["evm"];
  readonly declared: LiftContext["declared"];
  needsEvm(): void;
}

function createGathering(context: LiftContext): Gathering {
  const problems: LiftProblem[] = [];
  const waitsFor: string[] = [];
  const needs = { needsHead: false, needsEvm: false };
  return {
    evm: context.evm,
    declared: context.declared,
    needsEvm() {
      needs.needsEvm = true;
    },
    lift(value, type) {
      const lifted = lift(value, type, context);
      problems.push(...lifted.problems);
      waitsFor.push(...lifted.waitsFor);
      needs.needsHead ||= lifted.needsHead;
      needs.needsEvm ||= lifted.needsEvm;
      return lifted.value;
    },
    attempt({ args, method }, make) {
      try {
        return make();
      } catch (error) {
        const { start, end } = args[1] ?? method;
        problems.push({ start, end, message: error instanceof Error ? error.message : String(error) });
        return unknownYet;
      }
    },
    done: () => ({ problems, waitsFor, ...needs }),
  };
}

type Lowered = Pick<LoweredRequest, "params" | "decoding">;

function lowerCall(request: Request, gather: Gathering): Lowered {
  const { to, signature, args, options } = readSugar(request, gather);
  gather.needsEvm();
  const data =
    !gather.evm || args.includes(unknownYet)
      ? unknownYet
      : gather.attempt(request, () => gather.evm?.encodeCall(signature, args));
  const { at = "latest", ...others } = options;
  return { params: [{ to, data, ...others }, at], decoding: { by: "call", signature } };
}

function lowerLogs(request: Request, gather: Gathering): Lowered {
  const { to, signature, args, options } = readSugar(request, gather);
  const range = { fromBlock: options.from ?? "latest", toBlock: options.to ?? "latest" };
  const address = to === null || to === undefined ? {} : { address: to };
  if (signature === "") return { params: [{ ...address, ...range }] };
  gather.needsEvm();
  const topics =
    !gather.evm || args.includes(unknownYet)
      ? unknownYet
      : gather.attempt(request, () => gather.evm?.encodeTopics(signature, args));
  return { params: [{ ...address, topics, ...range }], decoding: { by: "logs", signature } };
}

const optionTypes: Readonly<Record<string, Param["type"]>> = {
  at: "block",
  from: "block",
  to: "block",
  value: "quantity",
  gas: "quantity",
};

function readSugar(request: Request, gather: Gathering) {
  const isCall = request.method.text === "call";
  const plain = request.args.filter(({ kind }) => kind !== "option");
  const [contract, function_, ...rest] = plain;
  const options: Record<string, unknown> = {};
  for (const one of request.args) {
    if (one.kind !== "option") continue;
    const type = isCall && one.name.text === "from" ? "address" : (optionTypes[one.name.text] ?? "json");
    options[one.name.text] = gather.lift(one.value, type);
  }
  const said = function_ ? gather.lift(function_, "string") : "";
  const kind = isCall ? "function" : "event";
  return {
    to: contract && gather.lift(contract, "address"),
    signature: typeof said === "string" ? declarationNamed(said, kind, rest.length, gather.declared) : "",
    args: rest.map((value) => gather.lift(value, "abi")),
    options,
  };
}
