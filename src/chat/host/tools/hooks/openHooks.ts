import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LazyChanges } from "../../../../changes/engine/lazyChanges.ts";
import { pickLines, plainLine } from "../../../../platform/editor/dialogs/pickLines.ts";
import type { Consents } from "../../../../session/consent/consents.ts";
import type { Hook } from "./hookFile.ts";
import { type HookPlaces, readHookFiles } from "./hookFiles.ts";
import { folderOf } from "./runHook.ts";
import { WindowHooks, whenOf } from "./windowHooks.ts";

/** The hooks of this window. */
export function openHooks({
  consents,
  changes,
}: {
  readonly consents: Consents;
  readonly changes: Pick<LazyChanges, "load">;
}): WindowHooks {
  return new WindowHooks({
    read: () => readHookFiles(placesHere()),
    consents,
    ask: askAboutHook,
    changes: () => changes.load(),
    env: process.env,
    now: () => new Date(),
  });
}

function placesHere(): HookPlaces {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return {
    folders: folders.map(({ uri }) => uri.fsPath),
    home: homedir(),
    isTrusted: vscode.workspace.isTrusted,
  };
}

/** Shows all that decides about what runs. The first item is the default, which a stray Enter chooses. */
async function askAboutHook(hook: Hook, signal: AbortSignal): Promise<boolean | undefined> {
  const { event, command, shell, env, timeoutMs, file } = hook;
  const decline = { label: "$(close) Don't Run It", description: "Asked again after a reload of the window" };
  const allow = { label: "$(check) Allow It", description: "Asked again when it changes" };
  const facts = [
    ["Command", shell === undefined ? command : `${shell}: ${command}`],
    ["Runs", whenOf(event).toLowerCase()],
    ["Folder", folderOf(hook)],
    ...Object.entries(env).map(([name, value]) => ["Variable", `${name}=${value}`]),
    ["Time limit", `${timeoutMs / 1000} s`],
    ["File", file.label],
  ];
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
    const title = file.isOwn ? "A hook of yours wants to run" : "A hook of this workspace wants to run";
    const placeHolder = "It is a program: with all that it loads, it can do what you can. Allow it?";
    const options = { title: plainLine(title), placeHolder, ignoreFocusOut: true };
    const chosen = await vscode.window.showQuickPick(items, options, source.token);
    return chosen === undefined ? undefined : chosen === allow;
  } finally {
    signal.removeEventListener("abort", cancel);
    source.dispose();
  }
}
