import * as vscode from "vscode";
import { Counted, countedPart } from "../../../shared/money/budgetRule.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import type { AgentSession } from "../../server/sessionBook.ts";
import { taskOf } from "../openService.ts";
import { resumeSession, stopSession } from "../sessions/stopSession.ts";
import type { GatewayMenu } from "./gatewayMenu.ts";

/** What a session has cost of its cap; empty if it has no cap, or its spending can't be read. */
export async function sessionFacts({ session }: GatewayMenu, agent: AgentSession): Promise<string> {
  const { sessionCapUsd: capUsd } = agent.client;
  const { active } = session;
  if (capUsd === undefined || !active) return "";
  const spend = await session.spend();
  const { spent } = await spend.taskSpend(active, taskOf(agent, capUsd));
  return `${spendText(countedPart(spent))} of ${moneyText(Counted.parse(capUsd).in("USD"))}`;
}

/** Stops a session, or lets it go on. Its calls in progress end at once. */
export async function showSession(menu: GatewayMenu, agent: AgentSession): Promise<void> {
  const stop = {
    label: "$(debug-stop) Stop",
    detail: "Its calls in progress end, and its next ones are refused",
  };
  const resume = { label: "$(play) Resume", detail: "Its next calls are sent again" };
  const picked = await vscode.window.showQuickPick([agent.refusal ? resume : stop], {
    title: `Session of ${agent.client.name}`,
    placeHolder: await sessionFacts(menu, agent),
  });
  if (picked === resume) resumeSession(agent);
  if (picked === stop) stopSession(agent);
  menu.onSession();
}
