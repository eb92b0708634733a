import { readSettings } from "../platform/settings.ts";
import {
  agreePrice,
  confirmPrice,
  isPriceDue,
  type PriceDeps,
  type PriceQuestion,
} from "../session/spend/confirmPrice.ts";
import type { ServiceTool, ToolQuestion } from "./serviceTool.ts";

/** True if the user has to be asked before this call. */
export function isConsentDue(deps: PriceDeps, { name }: ServiceTool, question: ToolQuestion): boolean {
  return (
    question.asks === "always" || (isPriced(question) && isPriceDue(deps, toPriceQuestion(name, question)))
  );
}

/** Asks if it is due, in a modal dialog that names the price and who receives the data. False: do not run the call. */
export async function askConsent(
  deps: PriceDeps,
  tool: ServiceTool,
  question: ToolQuestion,
): Promise<boolean> {
  if (!isConsentDue(deps, tool, question)) return true;
  return confirmPrice(deps, toPriceQuestion(tool.name, question));
}

/** The question as it is stored and worded; approvals of tools are apart from those of the extension's own commands. */
export function toPriceQuestion(
  name: string,
  { summary, usd, asks, details, button }: ToolQuestion,
): PriceQuestion {
  const isAlways = asks === "always";
  return {
    action: `tool.${name}`,
    title: summary,
    button,
    refuseButton: `Don't ${button}`,
    usd,
    alwaysAsks: isAlways,
    detail: details.join("\n"),
  };
}

/** Reading that costs nothing or nearly nothing is confirmed only if the settings say so. */
function isPriced({ asks, usd }: ToolQuestion): boolean {
  return asks === "price" || (usd !== 0 && readSettings().askPrice === "always");
}

/** Stores the approval of a call that the user confirmed elsewhere, such as in the editor's chat. */
export function agreeConsent(deps: PriceDeps, { name }: ServiceTool, question: ToolQuestion): Promise<void> {
  return agreePrice(deps, toPriceQuestion(name, question));
}
