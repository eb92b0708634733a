import * as vscode from "vscode";
import { commands, reviewScheme } from "../shared/names/ids.ts";
import { isProseLine } from "./target/prose.ts";

const ownKind = vscode.CodeActionKind.Empty.append("inference");

const onSelection: readonly (readonly [title: string, command: string])[] = [
  ["Ask Inference…", commands.editorAsk],
  ["Explain with Inference", commands.editorExplain],
  ["Fix with Inference", commands.editorFix],
  ["Write Tests with Inference", commands.editorWriteTests],
  ["Write Documentation with Inference", commands.editorDocument],
  ["Edit with Inference…", commands.editorEdit],
];

/** The actions on a writer's text, which is not tested and has no documentation. */
const onProse: typeof onSelection = [
  ["Ask Inference…", commands.editorAsk],
  ["Explain with Inference", commands.editorExplain],
  ["Proofread with Inference", commands.editorProofread],
  ["Rewrite with Inference", commands.editorRewrite],
  ["Shorten with Inference", commands.editorShorten],
  ["Summarise with Inference", commands.editorSummarize],
  ["Translate with Inference…", commands.editorTranslate],
  ["Edit with Inference…", commands.editorEdit],
];

/** Code actions: a quick fix for each reported problem, the other actions for a selection. */
export function registerCodeActions(): vscode.Disposable {
  const provider: vscode.CodeActionProvider = {
    provideCodeActions(document, range, { diagnostics }) {
      const { uri, languageId, lineCount } = document;
      if (uri.scheme === reviewScheme) return [];
      const actions: vscode.CodeAction[] = [];
      if (diagnostics.length > 0) {
        const fix = toAction("Fix with Inference", commands.editorFix, vscode.CodeActionKind.QuickFix);
        fix.diagnostics = [...diagnostics];
        actions.push(fix);
      }
      // Without a selection the light bulb would be shown on every line.
      if (range.isEmpty) return actions;
      const line = (index: number) => document.lineAt(index).text;
      const isProse = isProseLine(languageId, range.start.line, { line, lineCount });
      for (const [title, command] of isProse ? onProse : onSelection) {
        const isListed = diagnostics.length > 0 && command === commands.editorFix;
        if (!isListed) actions.push(toAction(title, command, ownKind));
      }
      return actions;
    },
  };
  return vscode.languages.registerCodeActionsProvider("*", provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, ownKind],
  });
}

function toAction(title: string, command: string, kind: vscode.CodeActionKind): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.command = { title, command };
  return action;
}
