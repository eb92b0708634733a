import type { AbiParameter } from "viem";
import type { RpcValue } from "../../output/rpcOutput.ts";

/** Decoded values for a view. Integers are decimal text. */
export function toValues(parameters: readonly AbiParameter[], values: readonly unknown[]): RpcValue[] {
  return parameters.map((parameter, index) => toValue(parameter, values[index]));
}

function toValue(parameter: AbiParameter, value: unknown): RpcValue {
  const { name = "", type } = parameter;
  const list = /^(.*)\[\d*\]$/.exec(type);
  if (list && Array.isArray(value)) {
    return {
      name,
      type,
      value: value.map((one) => toValue({ ...parameter, name: "", type: list[1] ?? "" }, one)),
    };
  }
  if (type === "tuple" && "components" in parameter) {
    const members = parameter.components.map((component, index) =>
      Array.isArray(value) ? value[index] : (value as Record<string, unknown>)?.[component.name ?? ""],
    );
    return { name, type, value: toValues(parameter.components, members) };
  }
  if (!isInRange(type, value)) throw new Error(`${type} can't be ${String(value)}`);
  return { name, type, value: String(value) };
}

/** The library takes the whole word of a smaller number, so that other bytes would look like one. */
function isInRange(type: string, value: unknown): boolean {
  const [, unsigned, bits = "256"] = /^(u?)int(\d*)$/.exec(type) ?? [];
  if (unsigned === undefined || (typeof value !== "bigint" && typeof value !== "number")) return true;
  const size = Number(bits || 256);
  const number = BigInt(value);
  return unsigned ? BigInt.asUintN(size, number) === number : BigInt.asIntN(size, number) === number;
}

/** An indexed parameter. Of a text, a list or a tuple the log has its hash only. */
export function asHashed(input: AbiParameter): AbiParameter {
  const isHashed = /^(?:string|bytes|tuple)$|\]$/.test(input.type);
  return isHashed ? { name: input.name ?? "", type: `hash of ${input.type}` } : input;
}

/** The result, or undefined if it throws. */
export function attempt<Result>(make: () => Result): Result | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
