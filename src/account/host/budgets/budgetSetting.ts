import * as vscode from "vscode";
import { readUserSetting, writeUserSetting } from "../../../platform/settings.ts";
import {
  type BudgetFault,
  readScopedBudgets,
  type ScopedBudget,
} from "../../../shared/money/scopedBudget.ts";
import { settings } from "../../../shared/names/ids.ts";

/** An entry of the user's list of budgets: as it is written, and as it was read. */
export interface BudgetEntry {
  readonly written: unknown;
  readonly budget: ScopedBudget | undefined;
  readonly fault: BudgetFault | undefined;
}

/** The user's list of budgets with its unreadable entries, which a change of another entry keeps. */
export class BudgetSetting {
  readonly #id = settings.accountBudgets;

  /** Undefined if the setting is no list. */
  entries(): readonly BudgetEntry[] | undefined {
    const list = this.#list();
    return list?.map((written) => {
      const { scoped, faults } = readScopedBudgets([written], this.#id);
      const [fault] = faults;
      return { written, budget: scoped[0], fault };
    });
  }

  add(budget: ScopedBudget): Promise<void> {
    return this.#write((list) => [...list, budget]);
  }

  /** Replaces an entry, or removes it. Throws if it is not in the list any more. */
  replace({ written }: BudgetEntry, budget: ScopedBudget | undefined): Promise<void> {
    const text = JSON.stringify(written);
    return this.#write((list) => {
      // The list may have changed while a dialog was open.
      const index = list.findIndex((one) => JSON.stringify(one) === text);
      if (index < 0) throw new Error("The budget was changed in the settings meanwhile");
      return list.toSpliced(index, 1, ...(budget ? [budget] : []));
    });
  }

  /** For a setting that can't be changed by dialogs. */
  async openFile(): Promise<void> {
    await vscode.commands.executeCommand("workbench.action.openSettingsJson", {
      revealSetting: { key: this.#id },
    });
  }

  #list(): readonly unknown[] | undefined {
    const value = readUserSetting(this.#id) ?? [];
    return Array.isArray(value) ? value : undefined;
  }

  async #write(change: (list: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const list = this.#list();
    if (!list) throw new Error(`${this.#id} is no list`);
    const value = change(list);
    await writeUserSetting(this.#id, value.length > 0 ? value : undefined);
  }
}
