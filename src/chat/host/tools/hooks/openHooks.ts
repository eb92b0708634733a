import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LazyChanges } from "../../../../changes/engine/lazyChanges.ts";
import { askToAllow } from "../../../../platform/editor/dialogs/askToAllow.ts";
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

/** Shows all that decides about what runs. */
function askAboutHook(hook: Hook, signal: AbortSignal): Promise<boolean | undefined> {
  const { event, command, shell, env, timeoutMs, file } = hook;
  const question = {
    title: file.isOwn ? "A hook of yours wants to run" : "A hook of this workspace wants to run",
    placeHolder: "It is a program: with all that it loads, it can do what you can. Allow it?",
    again: { no: "Asked again after a reload of the window", yes: "Asked again when it changes" },
    facts: [
      ["Command", shell === undefined ? command : `${shell}: ${command}`],
      ["Runs", whenOf(event).toLowerCase()],
      ["Folder", folderOf(hook)],
      ...Object.entries(env).map(([name, value]) => ["Variable", `${name}=${value}`] as const),
      ["Time limit", `${timeoutMs / 1000} s`],
      ["File", file.label],
    ],
  } as const;
  return askToAllow(question, signal);
}
