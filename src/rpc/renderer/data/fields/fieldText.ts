import { isList } from "../../../output/json.ts";
import type { Json, RpcAccount, RpcChange, RpcValue } from "../../../output/rpcOutput.ts";
import { scaled } from "../../../output/scaled.ts";
import { coinText, counted, grouped, gweiText, isQuantity, timeText, toWhole } from "./numbers.ts";

export type Radix = "decimal" | "hex";

/** Formatting options of values. */
export interface Writing {
  readonly radix: Radix;
  /** The symbol of the network's coin. */
  readonly coin: string;
  /** When the cell ran, in Unix milliseconds. */
  readonly atMs: number;
  /** Original lengths of cut lists and texts, by the remaining part. */
  readonly wholes?: ReadonlyMap<unknown, number>;
  /** The accounts of the output, by their addresses in lower case. */
  readonly accounts?: ReadonlyMap<string, RpcAccount> | undefined;
}

/** An address with its checksum, as far as it is known; any other text as it is. */
export function addressText(text: string, { accounts }: Pick<Writing, "accounts">): string {
  return shownAccount(text, accounts)?.address ?? text;
}

export function shownAccount(text: string, accounts: Writing["accounts"]): RpcAccount | undefined {
  return text.length === 42 ? accounts?.get(text.toLowerCase()) : undefined;
}

/** Length of a list or a text, including the part that was cut off. */
export function wholeLength(part: string | readonly Json[], { wholes }: Pick<Writing, "wholes">): number {
  return Math.max(part.length, wholes?.get(part) ?? 0);
}

/** The text of a value; `exact` is an additional exact form. */
export interface FieldText {
  readonly text: string;
  readonly exact?: string;
}

const times = new Set(["timestamp", "blockTimestamp"]);
/** Names of members and methods that are gas prices. */
export const prices = /gasPrice$|PerGas$|baseFee$/i;
/** Names of bytes, which may look like a number. */
const data = /^(data|extraData|input|output|init|code|returnValue|logsBloom|signature|salt)$/i;
const amounts = new Set(["value", "balance", "l1Fee", "fee"]);

/** Formats the value of the member `name` of a result. */
export function fieldText(name: string, value: Json, writing: Writing): FieldText {
  if (isList(value)) return { text: `[${counted(wholeLength(value, writing), "item")}]` };
  if (typeof value === "object" && value !== null)
    return { text: `{${counted(Object.keys(value).length, "member")}}` };
  if (typeof value === "number" && times.has(name) && Number.isSafeInteger(value) && writing.radix !== "hex")
    return { text: timeText(BigInt(value), writing.atMs), exact: String(value) };
  const lamports = name === "lamports" && typeof value !== "string" ? toWhole(value) : undefined;
  if (lamports !== undefined && writing.coin === "SOL" && writing.radix !== "hex")
    return { text: `${scaled(lamports, 9)} SOL`, exact: `${grouped(lamports)} lamports` };
  if (typeof value !== "string") return { text: String(value) };
  if (writing.radix === "hex" || !isQuantity(value) || data.test(name))
    return { text: addressText(value, writing) };
  const whole = BigInt(value);
  const exact = `${grouped(whole)} = ${value}`;
  if (times.has(name)) return { text: timeText(whole, writing.atMs), exact };
  if (prices.test(name)) return { text: gweiText(whole), exact };
  if (amounts.has(name)) return { text: coinText(whole, writing.coin), exact };
  return { text: grouped(whole), exact: value };
}

/** Escapes control and bidirectional characters, which could hide or reorder text. */
export function visible(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Cf}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
}

/** Cuts a text and appends its complete length. */
export function cutFieldText(text: string, most: number, whole = text.length): string {
  if (text.length <= most && whole <= text.length) return visible(text);
  return `${visible(text.slice(0, most))}… (${counted(whole, "character")})`;
}

/** True for hex, and for a key or signature of Solana in Base58. */
export function isAddressLike(text: string): boolean {
  return /^0x/.test(text) || /^(?=.*[A-Za-z]|1+$)[1-9A-HJ-NP-Za-km-z]{32,90}$/.test(text);
}

/** Shortens hashes and addresses for tables. */
export function shortHex(text: string): string {
  return /^0x[0-9a-f]{17,}$/i.test(text) || (!/^0x/.test(text) && isAddressLike(text))
    ? `${text.slice(0, 8)}…${text.slice(-6)}`
    : text;
}

/** A value for the JSON view. In decimal mode, quantities and words with small numbers are decimal. */
export function jsonText(value: Json, { radix, accounts }: Pick<Writing, "radix" | "accounts">): string {
  if (radix === "decimal" && typeof value === "string") {
    const isWord = /^0x0{32}[0-9a-f]{32}$/i.test(value);
    const whole = isQuantity(value) || isWord ? toWhole(value) : undefined;
    if (whole !== undefined) return String(whole);
  }
  const text = typeof value === "string" ? JSON.stringify(addressText(value, { accounts })) : String(value);
  return cutFieldText(text, 2000);
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
    value === undefined ? "missing" : shortHex(fieldText(name, value, writing).text);
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

/** A decoded value as one line of text. */
export function valueText({ name, type, value, amount }: RpcValue): string {
  const whole = /^u?int/.test(type) && typeof value === "string" ? toWhole(value) : undefined;
  const one = typeof value === "string" ? shortHex(value) : `(${value.map(valueText).join(", ")})`;
  const exact = whole === undefined ? one : grouped(whole);
  const text = typeof amount === "string" ? `${cutFieldText(amount, 120)} (${exact})` : exact;
  return name ? `${name} ${text}` : text;
}
