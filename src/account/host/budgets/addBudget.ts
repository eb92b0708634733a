import * as vscode from "vscode";
import { ask, choose } from "../../../platform/editor/dialogs/ask.ts";
import { sentenceCase } from "../../../platform/errors/errorMessage.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Spend } from "../../../session/spend/spend.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import {
  type BudgetDimension,
  type BudgetPeriod,
  readScopedBudgets,
  type ScopedBudget,
  scopeLabel,
} from "../../../shared/money/scopedBudget.ts";
import { typedAmount } from "../../../shared/money/typedAmount.ts";
import { dayMs } from "../../../shared/time/days.ts";
import { budgetLabel, reachText } from "./budgetNodes.ts";
import type { BudgetSetting } from "./budgetSetting.ts";
import { type ScopeChoice, scopeChoices } from "./scopeChoices.ts";

/** Where the values that were used come from. */
interface Ledger {
  readonly connection: Connection;
  readonly spend: Pick<Spend, "entries">;
}

/** A budget that is being made, as far as it was answered. */
type Draft = ScopedBudget & { readonly dimension: BudgetDimension };
type Answer = Draft | "back" | undefined;
interface Steps {
  readonly step?: number;
  readonly totalSteps?: number;
}

const firstDraft: Draft = { dimension: "folder", per: {}, period: "month", limitUsd: 5, onReach: "warn" };

/** Asks for a budget step by step, with lists of what was used, and adds it to the setting. */
export async function addBudget({ connection, spend }: Ledger, setting: BudgetSetting): Promise<void> {
  // The last month too, because at the beginning of a month nothing has been used.
  const entries = await spend.entries(connection, Date.now() - 31 * dayMs).catch(() => []);
  const steps: readonly ((draft: Draft, about: Steps) => Promise<Answer>)[] = [
    askDimension,
    (draft, about) => askScope(draft, about, entries),
    askPeriod,
    async (draft, about) => withDraft(draft, await askLimit(draft, about)),
    askReach,
  ];
  let draft = firstDraft;
  for (let step = 0; step < steps.length; ) {
    const answer = await steps[step]?.(draft, { step: step + 1, totalSteps: steps.length });
    if (answer === undefined) return;
    if (answer !== "back") draft = answer;
    step += answer === "back" ? -1 : 1;
  }
  const { dimension: _, ...budget } = draft;
  await setting.add(budget);
}

function withDraft(draft: Draft, answer: ScopedBudget | "back" | undefined): Answer {
  return typeof answer === "object" ? { ...draft, ...answer } : answer;
}

const dimensionTexts: Readonly<Record<BudgetDimension, { readonly label: string; readonly detail: string }>> =
  {
    folder: { label: "$(folder) Workspace Folder", detail: "The calls for the files of a folder." },
    branch: {
      label: "$(git-branch) Git Branch",
      detail: "The calls while a branch is checked out in a folder.",
    },
    model: { label: "$(symbol-namespace) Model", detail: "The calls of a model, under all its names." },
    client: {
      label: "$(plug) Client",
      detail: "The chat, its agent, notebooks, completions, VS Code's chat, or an MCP client by its name.",
    },
    key: { label: "$(key) API Key", detail: "The calls that a key pays, by its last six characters." },
  };

async function askDimension(draft: Draft, about: Steps): Promise<Answer> {
  const answer = await choose<BudgetDimension>({
    ...about,
    title: "Add a Budget",
    placeholder: "What does it count?",
    active: draft.dimension,
    items: Object.entries(dimensionTexts).map(([value, texts]) => ({
      ...texts,
      value: value as BudgetDimension,
    })),
  });
  return typeof answer === "object" ? { ...draft, dimension: answer.value } : answer;
}

async function askScope(draft: Draft, about: Steps, entries: readonly SpentEntry[]): Promise<Answer> {
  const { dimension } = draft;
  const open =
    dimension === "folder" ? (vscode.workspace.workspaceFolders ?? []).map(({ name }) => name) : [];
  const choices = scopeChoices(dimension, entries, open);
  const answer = await choose<ScopeChoice | "typed">({
    ...about,
    title: "Add a Budget",
    placeholder: "Whose calls does it count?",
    items: [
      ...choices.map((choice) => ({ label: choice.label, description: choice.description, value: choice })),
      { label: "$(edit) Enter a Name…", value: "typed" as const },
    ],
  });
  if (typeof answer !== "object") return answer;
  if (answer.value !== "typed") return { ...draft, per: answer.value.per };
  const typed = await ask({
    ...about,
    title: "Add a Budget",
    prompt: typedPrompts[dimension],
    problem: (text) => typedProblem(dimension, text),
  });
  if (typed === "back") return askScope(draft, about, entries);
  return typed && { ...draft, per: { [dimension]: typed.value.trim() } };
}

const typedPrompts: Readonly<Record<BudgetDimension, string>> = {
  folder: "Name of the workspace folder.",
  branch: "Name of the branch, in any folder.",
  model: "Id of the model.",
  client: "A part of the extension and the name of a program, such as mcp:claude-code.",
  key: "The last six characters of the key.",
};

/** The reason that a budget of this value could not be read. */
function typedProblem(dimension: BudgetDimension, text: string): string | undefined {
  const per = { [dimension]: text.trim() };
  if (text.trim() === "") return "Enter a name.";
  const { faults } = readScopedBudgets([{ ...firstDraft, per }], "budget");
  const [fault] = faults;
  return fault && `It ${fault.rule}.`;
}

async function askPeriod(draft: Draft, about: Steps): Promise<Answer> {
  const answer = await choose<BudgetPeriod>({
    ...about,
    title: `Add a Budget: ${scopeLabel(draft.per)}`,
    placeholder: "For how long?",
    active: draft.period,
    items: [
      { label: "Month", detail: "A calendar month (UTC).", value: "month" },
      { label: "Day", detail: "A UTC day.", value: "day" },
    ],
  });
  return typeof answer === "object" ? { ...draft, period: answer.value } : answer;
}

export async function askLimit(
  draft: ScopedBudget,
  about: Steps,
): Promise<ScopedBudget | "back" | undefined> {
  const typed = await ask({
    ...about,
    title: sentenceCase(budgetLabel(draft)),
    prompt: `USD for a UTC ${draft.period}, or DIEM if only DIEM are paid: they count 1:1.`,
    value: String(draft.limitUsd),
    problem: (text) => (isUsd(text, Number.MIN_VALUE) ? undefined : "Enter an amount such as 5 or 0.25."),
  });
  return typeof typed === "object" ? { ...draft, limitUsd: Number(typedAmount(typed.value)) } : typed;
}

async function askReach(draft: Draft, about: Steps): Promise<Answer> {
  const answer = await choose<ScopedBudget["onReach"]>({
    ...about,
    title: sentenceCase(budgetLabel(draft)),
    placeholder: "What happens when it is used up?",
    active: draft.onReach,
    items: [
      { label: "Warn and Ask", detail: reachText({ isHardStop: false }), value: "warn" },
      { label: "Refuse", detail: reachText({ isHardStop: true }), value: "stop" },
    ],
  });
  return typeof answer === "object" ? { ...draft, onReach: answer.value } : answer;
}

/** True for an amount from `least` on. */
export function isUsd(text: string, least: number): boolean {
  const amount = typedAmount(text);
  return amount !== undefined && Number(amount) >= least && Number(amount) <= 1e9;
}
