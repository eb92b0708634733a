import type { Json, RpcChange } from "../shared/rpcOutput.ts";
import { coinText, counted, grouped, gweiText, isQuantity, timeText, toWhole } from "./numbers.ts";
import { isList } from "./readOutput.ts";

export type Radix = "decimal" | "hex";

/** How values are written. */
export interface Writing {
  readonly radix: Radix;
  /** The symbol of the network's coin. */
  readonly coin: string;
  /** When the cell ran, in Unix milliseconds. */
  readonly atMs: number;
  /** How long lists and texts were that are cut here, by what is left of them. */
  readonly wholes?: ReadonlyMap<unknown, number>;
}

/** How many items a list has, or characters a text, those that were cut off included. */
export function wholeLength(part: string | readonly Json[], { wholes }: Pick<Writing, "wholes">): number {
  return Math.max(part.length, wholes?.get(part) ?? 0);
}

/** A value of a member, in words; `exact` is what a person may want to know beside it. */
export interface FieldText {
  readonly text: string;
  readonly exact?: string;
}

const times = new Set(["timestamp", "blockTimestamp"]);
/** Members, and methods, that are prices of gas. */
export const prices = /gasPrice$|PerGas$|baseFee$/i;
/** Bytes, although a few of them may look like a number. */
const data = /^(data|extraData|input|output|init|code|returnValue|logsBloom|signature|salt)$/i;
const amounts = new Set(["value", "balance", "l1Fee", "fee"]);

/** The value of the member `name` of something that a node answered. */
export function fieldText(name: string, value: Json, writing: Writing): FieldText {
  if (isList(value)) return { text: `[${counted(wholeLength(value, writing), "item")}]` };
  if (typeof value === "object" && value !== null)
    return { text: `{${counted(Object.keys(value).length, "member")}}` };
  if (typeof value === "number" && times.has(name) && Number.isSafeInteger(value) && writing.radix !== "hex")
    return { text: timeText(BigInt(value), writing.atMs), exact: String(value) };
  if (typeof value !== "string") return { text: String(value) };
  if (writing.radix === "hex" || !isQuantity(value) || data.test(name)) return { text: value };
  const whole = BigInt(value);
  const exact = `${grouped(whole)} = ${value}`;
  if (times.has(name)) return { text: timeText(whole, writing.atMs), exact };
  if (prices.test(name)) return { text: gweiText(whole), exact };
  if (amounts.has(name)) return { text: coinText(whole, writing.coin), exact };
  return { text: grouped(whole), exact: value };
}

/** Text that hides or turns around what stands beside it is written as its code. */
export function visible(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Text as long as can be drawn; the rest is counted. */
export function cutFieldText(text: string, most: number, whole = text.length): string {
  if (text.length <= most && whole <= text.length) return visible(text);
  return `${visible(text.slice(0, most))}… (${counted(whole, "character")})`;
}

/** Hashes and addresses as a table has room for them. */
export function shortHex(text: string): string {
  return /^0x[0-9a-f]{17,}$/i.test(text) ? `${text.slice(0, 8)}…${text.slice(-6)}` : text;
}

/** A number of a result for the JSON view: decimal where it is a quantity or a word that holds a small number. */
export function jsonText(value: Json, radix: Radix): string {
  if (radix === "decimal" && typeof value === "string") {
    const isWord = /^0x0{32}[0-9a-f]{32}$/i.test(value);
    const whole = isQuantity(value) || isWord ? toWhole(value) : undefined;
    if (whole !== undefined) return String(whole);
  }
  return cutFieldText(typeof value === "string" ? JSON.stringify(value) : String(value), 2000);
}

interface ChangeText {
  readonly before: string;
  readonly now: string;
  /** `+12`, for numbers. */
  readonly by?: string;
}

/** A difference between two runs, as text. */
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
