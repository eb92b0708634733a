import * as vscode from "vscode";
import { findProgram } from "../gateway/programs/findProgram.ts";
import { askToAllow } from "../platform/editor/dialogs/askToAllow.ts";
import type { Consents } from "../session/consent/consents.ts";
import { type AgentPlace, AgentPlaces } from "./agentPlaces.ts";

/** The agents of this window. */
export function openAgentPlaces(consents: Consents): AgentPlaces {
  return new AgentPlaces({
    consents,
    ask: askAboutAgent,
    isTrusted: () => vscode.workspace.isTrusted,
    folder: () => vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file")?.uri.fsPath,
    programOf: (names) => findProgram(names, process.env, process.platform === "win32"),
  });
}

function askAboutAgent({ agent: { name }, program, folder }: AgentPlace, signal: AbortSignal) {
  const question = {
    title: `${name} wants to start`,
    placeHolder: "It is another program: it can read and do what you can. Allow it?",
    again: {
      no: "Your question goes back into the prompt",
      yes: "In this folder, until you revoke it in Permissions",
    },
    facts: [
      ["Program", program],
      ["Folder", folder],
      ["Model", "its calls go through this extension, within the cap of each task"],
      ["Edits", "listed as changes that you review"],
      [
        "Commands",
        "it runs them itself, outside of the sandbox of commands. What it asks before is shown in the chat",
      ],
      ["Settings", `those of ${name} apply, with its servers, its extensions and what it sends on its own`],
    ],
  } as const;
  return askToAllow(question, signal);
}
