import { isList, isObject } from "../../output/json.ts";
import type { Json, RpcFailure, RpcLine, RpcResult } from "../../output/rpcOutput.ts";
import { feltText } from "./fields/feltText.ts";
import {
  cutFieldText,
  fieldText,
  prices,
  shortHex,
  valueText,
  type Writing,
  wholeLength,
} from "./fields/fieldText.ts";
import { coinText, counted, grouped, gweiText, toWhole } from "./fields/numbers.ts";
import { structured } from "./fields/structured.ts";
import { type TraceRoot, toTraces } from "./traceTree.ts";

/** A short text for an outcome, for tables. */
export function shortResult({ outcome, method }: RpcLine, writing: Writing): string {
  switch (outcome.kind) {
    case "waiting":
      return "…";
    case "unsent":
      return cutFieldText(outcome.reason, 160);
    case "error":
      return failureText(outcome);
    case "result":
      return cutFieldText(resultText(outcome, method, writing), 160);
    default:
      return "";
  }
}

function failureText({ code, message, revert }: RpcFailure): string {
  if (!revert) return cutFieldText(`error ${code}: ${message}`, 160);
  const values = revert.values.map(valueText).join(", ");
  return cutFieldText(
    `reverted: ${revert.likely === undefined ? "" : "likely "}${revert.reason ?? (values ? `${revert.name}(${values})` : revert.name)}`,
    160,
  );
}

function resultText({ view, value, decoded }: RpcResult, method: string, writing: Writing): string {
  if (decoded?.kind === "values") return decoded.values.map(valueText).join(", ");
  const solana = view === "solana" ? structured()?.solanaText(value) : undefined;
  if (solana !== undefined) return solana;
  const traces = view === "trace" ? toTraces(value, writing) : undefined;
  const isCut = isList(value) && wholeLength(value, writing) > value.length;
  if (traces) return `${isCut ? "more than " : ""}${traceText(traces, writing)}`;
  if (isObject(value)) return objectText(view, value, writing);
  if (isList(value)) return counted(wholeLength(value, writing), view === "logs" ? "log" : "item");
  return scalarText(view, value, method, writing);
}

function traceText(roots: readonly TraceRoot[], writing: Writing): string {
  const [root] = roots;
  if (!root || roots.length > 1) return counted(roots.length, "trace");
  const { type, value = 0n, gasUsed, count, error } = root.call;
  const parts = [
    type.toUpperCase() + (value > 0n ? ` of ${coinText(value, writing.coin)}` : ""),
    gasUsed === undefined ? "" : `${grouped(gasUsed)} gas`,
    count > 0 ? counted(count, "call") : "",
    error ? `failed: ${error}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The code of an account in words; 0xef0100 is a delegation (EIP-7702). */
function codeText(value: string, method: string): string | undefined {
  if (value === "0x" && method === "eth_call")
    return "empty result: there is no code at this address, or the function returns nothing";
  if (method !== "eth_getCode") return undefined;
  if (value === "0x") return "no code at this address";
  return /^0xef0100[0-9a-f]{40}$/i.test(value) ? `delegates to 0x${value.slice(8)}` : undefined;
}

/** The text of a single value in its view. Gas prices are in gwei. */
export function scalarText(view: RpcResult["view"], value: Json, method: string, writing: Writing): string {
  const code = typeof value === "string" ? codeText(value, method) : undefined;
  if (code !== undefined) return code;
  const whole = writing.radix === "hex" ? undefined : toWhole(value);
  if (view === "wei" && whole !== undefined && prices.test(method)) return gweiText(whole);
  if (view === "wei" && whole !== undefined) return coinText(whole, writing.coin);
  const name = method === "starknet_chainId" && whole !== undefined ? feltText(whole) : undefined;
  if (name !== undefined) return name;
  if ((view === "quantity" || view === "number") && whole !== undefined) return grouped(whole);
  return fieldText("", value, writing).text;
}

function objectText(
  view: RpcResult["view"],
  value: { readonly [name: string]: Json },
  writing: Writing,
): string {
  const part = (name: string) => shortHex(fieldText(name, value[name] ?? null, writing).text);
  switch (view) {
    case "block": {
      const { transactions, number, block_number } = value;
      const count = isList(transactions)
        ? `, ${counted(wholeLength(transactions, writing), "transaction")}`
        : "";
      const name = number === undefined && block_number !== undefined ? "block_number" : "number";
      return `block ${part(name)}${count}`;
    }
    case "transaction":
      return `${part("from")} → ${value.to ? part("to") : "a new contract"}, ${part("value")}`;
    case "receipt":
      return `${value.status === "0x0" ? "failed" : "succeeded"}, ${part("gasUsed")} gas${
        isList(value.logs) ? `, ${counted(wholeLength(value.logs, writing), "log")}` : ""
      }`;
    case "feeHistory":
      return feeHistoryText(value, writing);
    default:
      return `{${counted(Object.keys(value).length, "member")}}`;
  }
}

function feeHistoryText(value: { readonly [name: string]: Json }, writing: Writing): string {
  const { baseFeePerGas: fees } = value;
  if (!isList(fees)) return counted(Object.keys(value).length, "member");
  const count = wholeLength(fees, writing);
  const newest =
    count > fees.length ? "" : `, base fee ${fieldText("baseFee", fees.at(-1) ?? null, writing).text}`;
  return `${counted(count, "block")}${newest}`;
}
