import * as vscode from "vscode";
import { workspaceUri } from "../../../../platform/editor/workspaceUri.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { checkedUri } from "../../../../tools/files/editorFiles.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../tools/serviceTool.ts";
import { builtIn, type ChatTool } from "../tool.ts";
import type { CommandPlace } from "./approval/commandPlace.ts";
import { callRules } from "./approval/judgedCall.ts";
import type { CommandRuns } from "./commandRuns.ts";
import {
  accessOf,
  accessQuestion,
  accessWords,
  limitsText,
  sandboxDescription,
  sandboxHint,
} from "./sandbox/sandboxWords.ts";

export const runCommandName = "run_command";

/** Seconds. */
export const defaultTimeout = 120;
export const longestTimeout = 600;

/** True if the user's settings allow the command of a call. A workspace can't set them. */
export function isAllowedCall({ name }: ChatTool, input: ToolInput): boolean {
  // They are for the workspace folder: another folder may have been made so that a harmless command runs its programs.
  if (name !== runCommandName || folderOf(input) !== "") return false;
  if (input.network === true || input.outside_sandbox === true) return false;
  return callRules({ placeOf: placeHere, suffix: () => "", isPlain: () => false }).isAllowed(input);
}

function placeHere(input: ToolInput): CommandPlace | undefined {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const [root] = roots;
  if (root === undefined) return undefined;
  const folder = folderOf(input) === "" ? root : workspaceUri(folderOf(input)).fsPath;
  return { folder, roots };
}

const commandDescription = `Runs a command line in the workspace folder with ${process.platform === "win32" ? "cmd.exe" : "/bin/sh"} in a terminal, and returns its output and exit code. It has no input. Times out after ${defaultTimeout} s unless timeout_seconds says otherwise. Set background for a server or a watcher.`;

const id = { type: "string", minLength: 1, maxLength: 40, description: "Id of the background command." };

/** Tools that run command lines. */
export function createCommandTools(runs: CommandRuns): readonly ChatTool[] {
  const state = () => runs.sandbox?.state ?? { isOn: false };
  const suffix = (input: ToolInput) => suffixOf(input, state().isOn ? accessWords(input) : []);
  const { isAllowed: _, ...rules } = callRules({ placeOf: placeHere, suffix, isPlain });
  return [
    {
      ...builtIn(runCommandName, "Run a command", "command"),
      ...rules,
      description: `${commandDescription} ${sandboxDescription}`,
      parameters: toolSchema(
        {
          command: { type: "string", minLength: 1, maxLength: 10_000 },
          background: {
            type: "boolean",
            description: "Returns at once; read the output with read_command_output.",
          },
          cwd: { type: "string", description: "A folder to run it in; the workspace folder without it." },
          timeout_seconds: { type: "integer", minimum: 1, maximum: longestTimeout },
          network: { type: "boolean", description: "In a sandbox: it may use the network." },
          repository: { type: "boolean", description: "In a sandbox: it may write .git." },
          outside_sandbox: { type: "boolean", description: "It runs without the sandbox." },
        },
        ["background", "cwd", "timeout_seconds", "network", "repository", "outside_sandbox"],
      ),
      timeoutMs: (longestTimeout + 10) * 1000,
      question: (input) => (state().isOn ? accessQuestion(accessOf(input)) : undefined),
      network: (input) => (state().isOn ? accessOf(input)?.network : undefined),
      limits: (input) => limitsText(state(), accessOf(input)),
      warm: () => runs.warm(),
      async prepare() {
        runs.warm();
        await runs.sandbox?.ready();
      },
      summary: (input) => `Run ${placeWords(input)}${inputText(input, "command")}`,
      async run(input, signal, { began }) {
        const command = inputText(input, "command");
        const place = folderOf(input) === "" ? undefined : await checkedFolder(folderOf(input));
        const access = accessOf(input);
        const seconds = typeof input.timeout_seconds === "number" ? input.timeout_seconds : defaultTimeout;
        const text = isInBackground(input)
          ? await runs.start(command, signal, began, place, access)
          : await runs.run(command, seconds * 1000, signal, began, place, access);
        const hint = state().isOn && access ? sandboxHint(text, access) : "";
        return hint === "" ? text : `${text}\n${hint}`;
      },
    },
    {
      ...builtIn("read_command_output", "Read the output of a command", "read"),
      description: "Returns the output of a background command, and whether it runs.",
      parameters: toolSchema({ id }),
      summary: (input) => `Read the output of ${inputText(input, "id")}`,
      run: async (input) => runs.read(inputText(input, "id")),
    },
    {
      ...builtIn("stop_command", "Stop a command", "read"),
      description: "Stops a background command that run_command has started.",
      parameters: toolSchema({ id }),
      summary: (input) => `Stop ${inputText(input, "id")}`,
      run: async (input) => runs.stop(inputText(input, "id")),
    },
  ];
}

/** The folder of a command, relative to the workspace; empty for the workspace folder. */
function folderOf(input: ToolInput): string {
  return inputText(input, "cwd");
}

/** `in the background, in packages/a: ` */
function placeWords(input: ToolInput): string {
  const folder = folderOf(input);
  const words = [
    ...(isInBackground(input) ? ["in the background"] : []),
    ...(folder === "" ? [] : [`in ${folder}`]),
  ];
  return words.length === 0 ? "" : `${words.join(", ")}: `;
}

/** The absolute path of a folder of the workspace, after links. Throws a Refusal for any other. */
async function checkedFolder(path: string): Promise<string> {
  const uri = await checkedUri(path);
  const found = await Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
  if (!found || (found.type & vscode.FileType.Directory) === 0)
    throw new Refusal(`The command was not run, because there is no folder ${path}.`);
  return uri.fsPath;
}

/** True for a call that may run unasked if it only reads. */
function isPlain(input: ToolInput): boolean {
  return !isInBackground(input) && accessWords(input).length === 0;
}

function isInBackground({ background }: ToolInput): boolean {
  return background === true;
}

/**
 * A command in the background has no timeout and outlives its task, and one in another folder may run other programs, so
 * each needs an approval of its own.
 */
function suffixOf(input: ToolInput, access: readonly string[]): string {
  // No key of a command ends so, because parentheses stand only in quotes.
  const words = [placeWords(input).replace(/: $/, ""), ...access].filter((one) => one !== "");
  return words.length === 0 ? "" : ` (${words.join(", ")})`;
}
