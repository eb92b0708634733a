import * as vscode from "vscode";
import { visibleLine } from "../shared/visibleText.ts";
import { withoutLinks } from "../shared/withoutLinks.ts";

export interface PickQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Runs at each keystroke; a sentence refuses the value. */
  readonly problem?: (value: string) => string | undefined;
  /** Runs on Enter; a sentence refuses the value, which stays as typed. Told to stop when the box closes. */
  readonly prove?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
}

/** Where a multi-step question leads: on with a value, one step back, or away. */
export type StepResult = { readonly value: string } | "back" | undefined;

/** An input box whose value is kept, with the reason shown under it, until it has been proved or given up. */
export function ask(question: PickQuestion): Promise<StepResult> {
  const box = vscode.window.createInputBox();
  const leaving = new AbortController();
  box.title = question.title;
  box.prompt = withoutLinks(question.prompt);
  box.placeholder = question.placeholder;
  box.value = question.value ?? "";
  box.password = question.password ?? false;
  box.step = question.step;
  box.totalSteps = question.totalSteps;
  box.ignoreFocusOut = true;
  if ((question.step ?? 1) > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const refuse = (sentence: string | undefined) => {
    box.validationMessage = sentence && withoutLinks(sentence);
  };
  return new Promise<StepResult>((resolve) => {
    const done = (answer: StepResult) => {
      resolve(answer);
      box.dispose();
    };
    // A value changed while the old one was being proved is not the one that was refused.
    let touched = false;
    box.onDidChangeValue((value) => {
      touched = true;
      refuse(value === "" ? undefined : question.problem?.(value));
    });
    box.onDidTriggerButton(() => done("back"));
    box.onDidHide(() => {
      leaving.abort();
      done(undefined);
    });
    box.onDidAccept(async () => {
      const { value } = box;
      const early = question.problem?.(value);
      if (early) {
        refuse(early);
        return;
      }
      if (!question.prove) return done({ value });
      box.busy = true;
      box.enabled = false;
      touched = false;
      const refused = await question.prove(value, leaving.signal);
      box.busy = false;
      box.enabled = true;
      if (refused === undefined) done({ value });
      else if (!touched) refuse(refused);
    });
    box.show();
  });
}

/** What an item of a list shows, where its texts are from elsewhere. */
export function visibleItem({ label, description, detail }: vscode.QuickPickItem): vscode.QuickPickItem {
  return {
    label: visibleLine(label),
    ...(description === undefined ? {} : { description: visibleLine(description) }),
    ...(detail === undefined ? {} : { detail: visibleLine(detail) }),
  };
}

export interface Choice<Value> {
  readonly title: string;
  readonly placeholder: string;
  readonly items: readonly (vscode.QuickPickItem & { readonly value: Value })[];
  readonly active?: Value;
  readonly step?: number;
  readonly totalSteps?: number;
}

/** A list to pick one value from, as a step of a multi-step question. */
export function choose<Value>(
  choice: Choice<Value>,
): Promise<{ readonly value: Value } | "back" | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly value: Value }>();
  pick.title = choice.title;
  pick.placeholder = choice.placeholder;
  pick.step = choice.step;
  pick.totalSteps = choice.totalSteps;
  const items = choice.items.map((item) => ({ ...item, ...visibleItem(item) }));
  pick.items = items;
  pick.activeItems = items.filter(({ value }) => value === choice.active);
  pick.ignoreFocusOut = true;
  if ((choice.step ?? 1) > 1) pick.buttons = [vscode.QuickInputButtons.Back];
  return new Promise((resolve) => {
    const done = (answer: { readonly value: Value } | "back" | undefined) => {
      resolve(answer);
      pick.dispose();
    };
    pick.onDidTriggerButton(() => done("back"));
    pick.onDidHide(() => done(undefined));
    pick.onDidAccept(() => {
      const [item] = pick.activeItems;
      if (item) done({ value: item.value });
    });
    pick.show();
  });
}
