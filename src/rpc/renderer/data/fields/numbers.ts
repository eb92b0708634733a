import type { Json } from "../../../output/rpcOutput.ts";
import { scaled } from "../../../output/scaled.ts";

/** True for a JSON-RPC quantity: hex of at most 32 digits, shorter than addresses and hashes. */
export function isQuantity(value: Json | undefined): value is string {
  return typeof value === "string" && /^0x(0|[1-9a-f][0-9a-f]{0,31})$/i.test(value);
}

/** Converts hex, decimal text or a JSON number to a whole number, exactly. */
export function toWhole(value: Json | undefined): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || value.length > 80) return undefined;
  return /^(0x[0-9a-f]+|-?[0-9]+)$/i.test(value) ? BigInt(value) : undefined;
}

/** 1234567 → `1,234,567`. */
export function grouped(value: bigint): string {
  return value.toLocaleString("en-US");
}

/** An amount of a coin with 18 decimals: `1.5 ETH`. */
export function coinText(value: bigint, coin: string): string {
  return `${withGroups(scaled(value, 18))} ${coin}`;
}

export function gweiText(value: bigint): string {
  return `${withGroups(scaled(value, 9))} gwei`;
}

function withGroups(text: string): string {
  const [whole = "", fraction] = text.split(".");
  const sign = whole === "-0" ? "-" : "";
  return `${sign}${grouped(BigInt(whole))}${fraction === undefined ? "" : `.${fraction}`}`;
}

/** Unix seconds as a date and, within 30 days of the run, the distance to it. */
export function timeText(seconds: bigint, atMs: number): string {
  if (seconds > 253_402_300_799n || seconds < 0n) return grouped(seconds);
  const date = new Date(Number(seconds) * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
  const before = Math.round(atMs / 1000 - Number(seconds));
  return Math.abs(before) > 30 * 86_400
    ? date
    : `${date} (${distance(Math.abs(before))} ${before < 0 ? "after" : "before"} the run)`;
}

function distance(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

/** The local time, with the date if it is not today. */
export function clockText(atMs: number, nowMs: number): string {
  const [at, now] = [new Date(atMs), new Date(nowMs)];
  const time = at.toLocaleTimeString("en-GB");
  return at.toDateString() === now.toDateString() ? time : `${at.toLocaleDateString("en-CA")} ${time}`;
}

export function msText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(BigInt(count))} ${count === 1 ? noun : plural}`;
}
