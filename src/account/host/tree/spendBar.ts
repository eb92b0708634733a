import * as vscode from "vscode";
import { readAlertSettings, readBudgets } from "../../../platform/settings.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Session, SpendEvent } from "../../../session/session.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { scopeId } from "../../../shared/money/scopedBudget.ts";
import { commands } from "../../../shared/names/ids.ts";
import { dayMs, dayOf } from "../../../shared/time/days.ts";
import { type ShownSpend, shownFeatures, shownScope, spendBarOf } from "./spendBarText.ts";

const shownKey = "spend.shown";

/**
 * The one item with money in the status bar: today's spend of the active connection and the rest of its budgets; its
 * tooltip has the parts. Hidden if there is neither.
 */
export function registerSpendBar(
  session: Session,
  state: vscode.Memento,
  report: (error: unknown) => void,
): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("inference.spend", vscode.StatusBarAlignment.Right, 49);
  item.name = "Inference Spend";
  item.command = commands.accountOpenDashboard;
  const all = () => state.get<Readonly<Record<string, unknown>>>(shownKey, {});
  const show = () => {
    const { active } = session;
    const bar = active && spendBarOf(active, readBudgets(), all()[active.id], Date.now());
    if (!bar) return item.hide();
    item.text = `$(pulse) ${bar.text}`;
    item.tooltip = new vscode.MarkdownString(bar.tooltip);
    item.backgroundColor = bar.colour && new vscode.ThemeColor(`statusBarItem.${bar.colour}Background`);
    item.accessibilityInformation = { label: `Inference spend: ${bar.label}` };
    item.show();
  };
  /** The sums of the parts that have budgets; undefined without any. */
  const scopesOf = async (connection: Connection) => {
    const parts = (readBudgets().parts?.scoped ?? []).map(({ per }) => per);
    if (parts.length === 0) return undefined;
    const sums = await (await session.spend()).scopes(connection, parts);
    return Object.fromEntries(
      parts.flatMap((per, index) => {
        const sum = sums[index];
        return sum ? [[scopeId(per), shownScope(sum)]] : [];
      }),
    );
  };
  const featuresOf = async (connection: Connection) => {
    const spend = await session.spend();
    const sinceMs = dayOf(Date.now()) * dayMs;
    const completions = await spend.completions(connection, sinceMs);
    const chain = await spend.chainSpend(connection, sinceMs);
    return shownFeatures(Amounts.sum(completions.map(({ paid, cost }) => paid ?? cost ?? nothing)), chain);
  };
  const read = async () => {
    const { active } = session;
    if (active) await save({ connection: active, totals: await (await session.spend()).totals(active) });
  };
  const save = async ({ connection, totals }: SpendEvent) => {
    const { today, month, isTodayBilled, isMonthBilled, paidIn } = totals;
    const scopes = await scopesOf(connection);
    const features = await featuresOf(connection);
    const latest: ShownSpend = {
      day: dayOf(Date.now()),
      today: today.toTexts(),
      month: month.toTexts(),
      isTodayBilled,
      isMonthBilled,
      ...(scopes ? { scopes } : {}),
      ...(paidIn ? { paidIn } : {}),
      features,
    };
    if (JSON.stringify(latest) === JSON.stringify(all()[connection.id])) return show();
    // The new value can be read at once. Writing it to disk may take seconds.
    const stored = state.update(shownKey, { ...all(), [connection.id]: latest });
    show();
    await stored;
  };
  const readNow = () => void read().catch(report);
  show();
  return vscode.Disposable.from(
    item,
    session.onDidSpend((event) => void save(event).catch(report)),
    session.onDidChangeActive(show),
    // Other windows spend, too. Their users come back to this one.
    vscode.window.onDidChangeWindowState(({ focused }) => focused && readNow()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration("inference.account")) return;
      show();
      // If the budget of a part is new, its calls were not summed.
      readNow();
    }),
  );
}

/** Alerts the user's program or address when money was spent. They are loaded only if the user has set one. */
export function watchAlerts(
  session: Session,
  alerts: () => Promise<{ spent(connection: Connection): Promise<void> }>,
  report: (error: unknown) => void,
): vscode.Disposable {
  return session.onDidSpend(({ connection }) => {
    const { command, address } = readAlertSettings();
    if (command.length === 0 && address === "") return;
    alerts()
      .then((loaded) => loaded.spent(connection))
      .catch(report);
  });
}
