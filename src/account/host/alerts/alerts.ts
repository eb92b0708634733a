import * as vscode from "vscode";
import { createHostTransport } from "../../../api/transport/host.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import { readAlertSettings, readBudgets } from "../../../platform/settings.ts";
import { sha256 } from "../../../platform/sha256.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { ConsentKey } from "../../../session/consent/consent.ts";
import type { Consents } from "../../../session/consent/consents.ts";
import type { Session } from "../../../session/session.ts";
import { allBudgetStates } from "../../../session/spend/spendBudget.ts";
import { commands, settings } from "../../../shared/names/ids.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";
import type { Balance } from "../accountData.ts";
import type { LoadedUsage } from "../usage/usageStore.ts";
import { balanceAlert, budgetAlerts, type DueAlert, testAlert } from "./alert.ts";
import type { AlertMarks } from "./alertMarks.ts";
import { monthForecast } from "./monthForecast.ts";
import { type AlertTarget, alertTargets, sendAlert, targetName } from "./sendAlert.ts";

export interface AlertsDeps {
  readonly session: Pick<Session, "spend">;
  readonly consents: Pick<Consents, "find" | "use" | "give">;
  readonly marks: Pick<AlertMarks, "claim">;
  readonly log: Pick<vscode.LogOutputChannel, "warn" | "error">;
  readonly now: () => number;
}

/** Tells the user's program or address about budgets, forecasts and balances, after the user has agreed to it. */
export class Alerts {
  readonly #deps: AlertsDeps;
  readonly #transport = createHostTransport();
  /** Targets that the user refused, or whose failure was said, until the settings change. */
  readonly #told = new Set<string>();
  /** Connections whose spend has changed since it was checked. */
  readonly #changed = new Map<string, Connection>();
  #checking: Promise<void> | undefined;

  constructor(deps: AlertsDeps) {
    this.#deps = deps;
  }

  /** Money was spent. Many calls may end while one check runs: one more covers them. */
  spent(connection: Connection): Promise<void> {
    this.#changed.set(connection.id, connection);
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  /** The bill was read: with enough days of the month, the forecast may pass its budget. */
  async billRead(connection: Connection, usage: LoadedUsage): Promise<void> {
    const { monthUsd } = readBudgets();
    if (!this.#isOn() || monthUsd === undefined) return;
    const due = monthForecast(connection, usage, readBudgets(), this.#deps.now());
    if (due) await this.#sendDue([due]);
  }

  /** The balance was read, and can't pay. */
  async balanceEmpty(connection: Connection, balance: Balance): Promise<void> {
    if (this.#isOn()) await this.#sendDue([balanceAlert(connection, balance, this.#deps.now())]);
  }

  /** Sends an alert with figures of no account, and says how it went. */
  async test(connection: Connection): Promise<void> {
    this.#told.clear();
    const targets = this.#targets();
    if (targets.length === 0) {
      const open = "Open Settings";
      const text = "No program and no address is set for alerts.";
      if ((await vscode.window.showInformationMessage(text, open)) === open)
        await vscode.commands.executeCommand("workbench.action.openSettings", settings.accountAlertCommand);
      return;
    }
    for (const target of targets) {
      if (!(await this.#isAllowed(target))) continue;
      const problem = await sendAlert(target, testAlert(connection, this.#deps.now()), this.#transport);
      if (problem === undefined)
        void vscode.window.showInformationMessage(withoutLinks(`${targetName(target)} took the test alert.`));
      else this.#tell(target, problem);
    }
  }

  async #checkAll(): Promise<void> {
    for (const [id, connection] of this.#changed) {
      this.#changed.delete(id);
      await this.#check(connection);
    }
  }

  async #check(connection: Connection): Promise<void> {
    if (!this.#isOn()) return;
    const states = await allBudgetStates(await this.#deps.session.spend(), connection, readBudgets());
    await this.#sendDue(budgetAlerts(connection, states, readAlertSettings().hasNames, this.#deps.now()));
  }

  #isOn(): boolean {
    const { command, address } = readAlertSettings();
    return command.length > 0 || address !== "";
  }

  #targets(): readonly AlertTarget[] {
    const { command, address } = readAlertSettings();
    return alertTargets(command, address).flatMap((target) => {
      if ("is" in target) return target;
      this.#say(
        address,
        `Alerts are not sent: the address in ${settings.accountAlertAddress} can't be used: ${target.problem}.`,
      );
      return [];
    });
  }

  /** Each once, by one window. It is not sent again if it fails, because it may have arrived. */
  async #sendDue(due: readonly DueAlert[]): Promise<void> {
    if (due.length === 0) return;
    const targets = this.#targets();
    if (targets.length === 0) return;
    for (const { subject, alert } of due) {
      if (!(await this.#deps.marks.claim(subject))) continue;
      for (const target of targets) {
        if (!(await this.#isAllowed(target))) continue;
        const problem = await sendAlert(target, alert, this.#transport);
        if (problem !== undefined) this.#tell(target, problem);
      }
    }
  }

  async #isAllowed(target: AlertTarget): Promise<boolean> {
    const key = consentKey(target);
    if (this.#deps.consents.use(key)) return true;
    const asked = `refused ${JSON.stringify(key)}`;
    if (this.#told.has(asked)) return false;
    this.#told.add(asked);
    const name = targetName(target);
    const [question, button, says] =
      target.is === "program"
        ? [`Run ${name} for alerts about money?`, "Run It", `Run ${name} for alerts`]
        : [`Send alerts about money to ${name}?`, "Send Alerts", `Send alerts to ${name}`];
    const what =
      target.is === "program"
        ? `It gets each alert as JSON on its standard input: ${target.words.map((word) => JSON.stringify(word)).join(" ")}`
        : `It gets each alert as JSON in a POST.`;
    const detail = `${what}\n\nAn alert has the budget, what is spent, the limit, the period, the name of the connection and the time. It has no key, and names of folders and branches only if ${settings.accountAlertNames} is on.\n\nYour answer counts until you revoke it.`;
    if ((await warnModally(question, { detail }, button)) !== button) return false;
    this.#told.delete(asked);
    await this.#deps.consents.give({ ...key, says });
    return true;
  }

  #tell(target: AlertTarget, problem: string): void {
    const name = targetName(target);
    this.#say(`${target.is} ${name}`, `An alert was not taken by ${name}: ${problem}.`, true);
  }

  /** A failure is said once, until it is tested. */
  #say(subject: string, text: string, canTest = false): void {
    this.#deps.log.warn(text);
    if (this.#told.has(subject)) return;
    this.#told.add(subject);
    const again = "Send Test Alert";
    void vscode.window.showWarningMessage(withoutLinks(text), ...(canTest ? [again] : [])).then((answer) => {
      if (answer === again) void vscode.commands.executeCommand(commands.accountTestAlert);
    });
  }
}

/** Bound to the whole command, or the whole address, of which the store has no word. */
function consentKey(target: AlertTarget): ConsentKey {
  const [receiver, bound] =
    target.is === "program" ? [target.words[0], JSON.stringify(target.words)] : [target.origin, target.url];
  return { kind: "alerts", receiver, subject: [target.is, sha256(bound).slice(0, 32)] };
}
