import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { durations, units } from "../language/parse/nodes.ts";
import type { WireItem } from "./request/writeRequest.ts";

/** Converts literal calls to lines. */
export function toLines(items: readonly WireItem[]): string {
  return items.map(({ method, params }) => [method, ...params.map(valueText)].join(" ")).join("\n");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, one]) => `${keyText(key)}: ${valueText(one)}`);
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
  }
  if (typeof value !== "string") return exactJsonText(value);
  // A variable of an .http file.
  if (/^\{\{[\w.-]+\}\}$/.test(value)) return value;
  // Unquoted words must not have another meaning.
  const isPlain = /^(0x\w*|[A-Za-z][\w-]*)$/.test(value) && !/^(true|false|null|_)$/.test(value);
  // After a number it would be a unit.
  const isUnit = Object.hasOwn(units, value) || Object.hasOwn(durations, value);
  return isPlain && !isUnit ? value : JSON.stringify(value);
}

function keyText(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);
}
