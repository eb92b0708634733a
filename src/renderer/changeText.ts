import type { RpcChange } from "../shared/rpcOutput.ts";
import { fieldText, shortHex, type Writing } from "./fieldText.ts";
import { grouped, isQuantity, toWhole } from "./numbers.ts";

export interface ChangeText {
  readonly before: string;
  readonly now: string;
  /** `+12`, for numbers. */
  readonly by?: string;
}

/** A difference between two runs, in words. */
export function changeText({ path, before, now }: RpcChange, writing: Writing): ChangeText {
  const name = path.slice(1 + Math.max(...[".", "[", "]"].map((mark) => path.lastIndexOf(mark))));
  const text = (value: RpcChange["now"]) =>
    value === undefined ? "not there" : shortHex(fieldText(name, value, writing).text);
  const [from, to] = [wholeOf(before), wholeOf(now)];
  const by = from === undefined || to === undefined ? undefined : to - from;
  return {
    before: text(before),
    now: text(now),
    ...(by === undefined ? {} : { by: `${by > 0n ? "+" : ""}${grouped(by)}` }),
  };
}

function wholeOf(value: RpcChange["now"]): bigint | undefined {
  if (isQuantity(value)) return BigInt(value);
  return typeof value === "number" || typeof value === "bigint" ? toWhole(value) : undefined;
}
