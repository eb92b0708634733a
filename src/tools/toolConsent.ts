import { readSettings } from "../platform/settings.ts";
import type { Connection } from "../session/connection/connection.ts";
import {
  agreePrice,
  confirmPrice,
  isPriceDue,
  type PriceDeps,
  type PriceQuestion,
} from "../session/spend/confirmPrice.ts";
import { optionalMember } from "../shared/members.ts";
import type { ServiceTool, ToolQuestion } from "./serviceTool.ts";

/** A tool, and the MCP client that calls it; undefined for agents of the editor. */
export interface AskingTool {
  readonly tool: ServiceTool;
  readonly client?: string;
}

/** True if the user has to be asked before this call. */
export function isConsentDue(deps: PriceDeps, asking: AskingTool, question: ToolQuestion): boolean {
  return (
    question.asks === "always" || (isPriced(question) && isPriceDue(deps, toPriceQuestion(asking, question)))
  );
}

/** Asks if it is due, in a modal dialog that names the price and who receives the data. False: do not run the call. */
export async function askConsent(
  deps: PriceDeps,
  asking: AskingTool,
  question: ToolQuestion,
): Promise<boolean> {
  if (!isConsentDue(deps, asking, question)) return true;
  return confirmPrice(deps, toPriceQuestion(asking, question));
}

/** The question as it is stored and worded. */
export function toPriceQuestion(
  { tool, client }: AskingTool,
  { summary, usd, asks, details, button }: ToolQuestion,
): PriceQuestion {
  const isAlways = asks === "always";
  return {
    action: { tool: tool.name, title: tool.title, ...optionalMember("client", client) },
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
export function agreeConsent(
  deps: PriceDeps,
  asked: Connection,
  asking: AskingTool,
  question: ToolQuestion,
): Promise<void> {
  return agreePrice(deps, asked, toPriceQuestion(asking, question));
}
