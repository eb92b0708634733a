import { exactJsonText } from "../../../shared/exactJson.ts";
import { requestText } from "../../../shared/rpc/requestText.ts";
import { scaled } from "../../../shared/rpc/scaled.ts";
import type { Json, RpcOutcome, RpcOutput, RpcValue } from "../../../shared/rpcOutput.ts";
import { methodOf } from "../language/catalog/catalog.ts";

import type { LineOutcome } from "./outcome.ts";

/** An outcome in a few words. */
export function shortText(outcome: LineOutcome | RpcOutcome, method = ""): string {
  switch (outcome.kind) {
    case "waiting":
      return "…";
    case "unsent":
      return outcome.reason;
    case "error":
      return `error ${outcome.code}: ${outcome.message}`;
    case "result":
      return "decoded" in outcome && outcome.decoded?.kind === "values"
        ? outcome.decoded.values.map(valueText).join(", ")
        : jsonText(outcome.value, methodOf(method)?.result ?? "");
  }
}

function valueText({ name, value }: RpcValue): string {
  const text = typeof value === "string" ? value : `(${value.map(valueText).join(", ")})`;
  return name ? `${name}: ${text}` : text;
}

function jsonText(value: Json, kind: string): string {
  if (
    typeof value === "string" &&
    (kind === "quantity" || kind === "wei") &&
    /^0x[0-9a-f]{1,64}$/i.test(value)
  ) {
    const number = BigInt(value);
    return kind === "wei" ? `${scaled(number, 18)} (${number} wei)` : String(number);
  }
  const text = typeof value === "string" ? value : exactJsonText(value);
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** A run as plain text, for whoever can't draw it. */
export function outputText(output: RpcOutput): string {
  const several = output.networks.length > 1;
  const lines = output.lines.map(({ network, name, method, source, outcome, note }) => {
    const asked = requestText({ source, method });
    const head = `${several ? `${network}  ` : ""}${name ? `${name} = ` : ""}${asked}`;
    return [`${head}  ${shortText(outcome, method)}`, ...(note ? [`  ${note}`] : [])].join("\n");
  });
  const { credits, usd, ms } = output.total;
  const money = `${credits} credits · ${usd.toFixed(8)} USD · ${Math.round(ms)} ms`;
  return [...lines, ...(output.problem ? [output.problem.sentence] : []), money].join("\n");
}
