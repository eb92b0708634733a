import * as vscode from "vscode";
import { pickLines, plainLine } from "./pickLines.ts";

export interface AllowQuestion {
  readonly title: string;
  readonly placeHolder: string;
  /** When it is asked again, after a no and after a yes. */
  readonly again: { readonly no: string; readonly yes: string };
  /** All that decides about what happens: name and value. They can be foreign. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/**
 * Asks whether a program may run, and shows what it is. Resolves to undefined without an answer. The first item is the
 * default, which a stray Enter chooses.
 */
export async function askToAllow(
  { title, placeHolder, again, facts }: AllowQuestion,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const decline = { label: "$(close) Don't Run It", description: again.no };
  const allow = { label: "$(check) Allow It", description: again.yes };
  const items: vscode.QuickPickItem[] = [
    decline,
    allow,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...facts.flatMap(([name, value]) =>
      pickLines([`${name}: ${value}`]).map((line) => ({ label: line, alwaysShow: true })),
    ),
  ];
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const options = { title: plainLine(title), placeHolder, ignoreFocusOut: true };
    const chosen = await vscode.window.showQuickPick(items, options, source.token);
    return chosen === undefined ? undefined : chosen === allow;
  } finally {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  }
}
