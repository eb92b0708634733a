import * as vscode from "vscode";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { withoutLinks } from "../../../shared/text/html/withoutLinks.ts";

export interface PickQuestion {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Runs at each keystroke. A returned sentence rejects the value. */
  readonly problem?: (value: string) => string | undefined;
  /**
   * Runs on Enter. A returned sentence rejects the value, which stays in the box. The signal aborts when the box
   * closes.
   */
  readonly prove?: (value: string, signal: AbortSignal) => Promise<string | undefined>;
  /** A button of the box that copies a text. */
  readonly copied?: { readonly label: string; readonly text: () => string };
  /** Closes the box, as if the user had left it. */
  readonly signal?: AbortSignal;
}

/** Result of a step in a multi-step question: a value, one step back, or cancelled. */
export type StepResult = { readonly value: string } | "back" | undefined;

/** An input box that keeps its value, with an error below it, until the value is accepted or the user cancels. */
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
  const { copied } = question;
  const copy = copied && { iconPath: new vscode.ThemeIcon("copy"), tooltip: copied.label };
  const back = (question.step ?? 1) > 1 ? [vscode.QuickInputButtons.Back] : [];
  box.buttons = copy ? [...back, copy] : back;
  const refuse = (sentence: string | undefined) => {
    box.validationMessage = sentence && withoutLinks(sentence);
  };
  return new Promise<StepResult>((resolve) => {
    const done = (answer: StepResult) => {
      resolve(answer);
      box.dispose();
    };
    // A value that was edited during the check was not rejected itself.
    let touched = false;
    box.onDidChangeValue((value) => {
      touched = true;
      refuse(value === "" ? undefined : question.problem?.(value));
    });
    box.onDidTriggerButton((button) => {
      if (button === copy) void vscode.env.clipboard.writeText(copied?.text() ?? "");
      else done("back");
    });
    question.signal?.addEventListener("abort", () => box.hide(), { once: true, signal: leaving.signal });
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

/** An item of a list with untrusted texts. */
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

/** A quick pick of one value, as a step of a multi-step question. */
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
  const active = items.filter(({ value }) => value === choice.active);
  // The editor makes the first line active. Without an active line, Enter would do nothing.
  if (active.length > 0) pick.activeItems = active;
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

/** The value that was picked; undefined if the list was left. */
export function pickedFrom<Value>(answer: { readonly value: Value } | "back" | undefined): Value | undefined {
  return typeof answer === "object" ? answer.value : undefined;
}
