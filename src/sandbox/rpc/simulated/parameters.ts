import { ChainFault } from "../chain.ts";

/** The error for invalid parameters: -32602 in every family. */
export function invalidParams(message: string): ChainFault {
  return new ChainFault(-32602, message);
}

/** A required parameter. */
export function parameter(params: readonly unknown[], index: number): unknown {
  if (params.length > index) return params[index];
  throw invalidParams(`invalid length ${params.length}, expected at least ${index + 1}`);
}

/** A required parameter that must match a pattern. */
export function textParameter(params: readonly unknown[], index: number, form: RegExp, name: string): string {
  const value = parameter(params, index);
  if (typeof value === "string" && form.test(value)) return value;
  throw invalidParams(`invalid params: ${name} expected at position ${index}`);
}
