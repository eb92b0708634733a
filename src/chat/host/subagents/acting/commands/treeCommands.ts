import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { KeptFile } from "../../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../../platform/errors/refusal.ts";
import { placeInside } from "../../../../../platform/files/bounded/placeInside.ts";
import { messageOf } from "../../../../../shared/messageOf.ts";
import type { SerialQueue } from "../../../../../shared/serialQueue.ts";
import { visibleLine } from "../../../../../shared/text/html/visibleText.ts";
import { workspaceRoots } from "../../../../../tools/files/workspaceRoots.ts";
import { inputText, type ToolInput, toolSchema } from "../../../../../tools/serviceTool.ts";
import { type CallRules, callRules } from "../../../tools/commands/approval/judgedCall.ts";
import { defaultTimeout, longestTimeout, runCommandName } from "../../../tools/commands/commandTools.ts";
import { endGently, type PlainCommand, startPlainCommand } from "../../../tools/commands/plainCommand.ts";
import { notesOf } from "../../../tools/commands/programChanges.ts";
import type { CommandSandbox, Sandboxed } from "../../../tools/commands/sandbox/commandSandbox.ts";
import type { ShownFolder } from "../../../tools/commands/sandbox/shownFolders.ts";
import { acceptanceOf } from "../../../tools/input/readCall.ts";
import { builtIn, type CallContext, type ChatTool } from "../../../tools/tool.ts";
import type { WorktreeCopy } from "../gitWorktrees.ts";
import type { SubagentTree } from "../subagentTree.ts";
import { CommandCopy } from "./commandCopy.ts";
import { dependencyFolders, placeFor } from "./dependencyFolders.ts";

export interface TreeCommandsDeps {
  readonly tree: SubagentTree;
  readonly place: WorktreeCopy;
  /** In which commands can write the copy alone. */
  readonly sandbox: CommandSandbox;
  /** That of the tools which change the files. */
  readonly order: SerialQueue;
  /** The absolute path of the workspace folder. */
  readonly folder: string;
}

/** Time for a copy of the files before a command, and for a look at them after it, in milliseconds. */
const copyMs = 120_000;

/** The commands of a subagent, one after the other: each runs in a sandbox, in a copy of the subagent's files. */
export class TreeCommands {
  readonly #deps: TreeCommandsDeps;
  readonly #copy: CommandCopy;
  readonly #rules: CallRules;
  /** Ignored folders of the workspace that commands read, below the workspace folder. */
  readonly #shown: readonly string[];
  readonly #life = new AbortController();
  /** Asks as the command tool of the task does, and by the same approvals. */
  readonly tool: ChatTool;

  constructor(deps: TreeCommandsDeps) {
    this.#deps = deps;
    const { tree, place, sandbox } = deps;
    this.#copy = new CommandCopy(tree, place);
    this.#shown = sandbox.showsFolders ? dependencyFolders(place.ignored) : [];
    const shown = this.#shown.map((path) => ({ from: join(deps.folder, path), at: join(place.root, path) }));
    const roots = [place.root, ...workspaceRoots().folders.flatMap(({ paths }) => paths)];
    const { isAllowed, ...rules } = callRules({
      placeOf: (input) => ({
        folder: join(place.root, folderOf(input)),
        ...{ roots, shown, repository: place.top },
      }),
      suffix: (input) => (folderOf(input) === "" ? "" : ` (in ${folderOf(input)})`),
      isPlain: () => true,
    });
    this.#rules = { ...rules, isAllowed };
    const tool: ChatTool = {
      ...builtIn(runCommandName, "Run a command", "command"),
      ...rules,
      description: `Runs a command line with /bin/sh in a copy of your files, and returns its output and exit code. It has no input and no terminal, and times out after ${defaultTimeout} s unless timeout_seconds says otherwise. It runs in a sandbox: it writes only in the copy and in /tmp, .git is read-only, there is no network, and what it leaves running ends with it. What it changes in files that Git does not ignore is taken into your files. The user may be asked. ${ignoredWords(this.#shown)}`,
      parameters: toolSchema(
        {
          command: { type: "string", minLength: 1, maxLength: 10_000 },
          cwd: { type: "string", description: "A folder to run it in; the workspace folder without it." },
          timeout_seconds: { type: "integer", minimum: 1, maximum: longestTimeout },
        },
        ["cwd", "timeout_seconds"],
      ),
      timeoutMs: (longestTimeout + 10) * 1000 + copyMs,
      limits: () => "In a sandbox: writes only in the subagent's copy of the workspace, no network.",
      prepare: () => this.#prepare(),
      summary: (input) => {
        const folder = folderOf(input);
        return `Run ${folder === "" ? "" : `in ${folder}: `}${inputText(input, "command")}`;
      },
      run: (input, signal, context) =>
        deps.order.run(() => this.#run(input, AbortSignal.any([signal, this.#life.signal]), context)),
    };
    this.tool = { ...tool, accept: acceptanceOf(tool, workspaceRoots) };
  }

  /** Files that commands have changed and that do not get into the workspace, with the reasons. */
  get left(): readonly KeptFile[] {
    return this.#copy.left;
  }

  /** True if the user's settings allow a command. */
  isAllowed(input: ToolInput): boolean {
    return folderOf(input) === "" && this.#rules.isAllowed(input);
  }

  /** Ends a command that runs. Resolves once nothing runs. Never rejects. */
  async dispose(): Promise<void> {
    this.#life.abort(new Refusal("The subagent has ended."));
    await this.#deps.order.run(() => {});
    this.#deps.sandbox.dispose();
  }

  /** Whether a line only reads is judged by the files that are there. */
  async #prepare(): Promise<void> {
    const { order } = this.#deps;
    await order.run(() => this.#copy.update(this.#life.signal)).catch(() => {}); // the run says why
  }

  async #run(input: ToolInput, signal: AbortSignal, { began }: Pick<CallContext, "began">): Promise<string> {
    signal.throwIfAborted();
    await this.#copy.update(signal);
    const folder = await this.#checkedFolder(folderOf(input));
    const access = { network: false, repository: false };
    const sandboxed = this.#deps.sandbox.wrap(folder, access, await this.#shownFolders());
    const seconds = typeof input.timeout_seconds === "number" ? input.timeout_seconds : defaultTimeout;
    const text = await runIn(
      sandboxed,
      { folder, command: inputText(input, "command"), seconds },
      signal,
      began,
    );
    const notes = await this.#copy.collect(signal).then(notesOf, (error: unknown) => {
      signal.throwIfAborted();
      return notesOf({ files: [], kept: [], failure: messageOf(error) });
    });
    return [text, ...notes].join("\n");
  }

  async #shownFolders(): Promise<readonly ShownFolder[]> {
    const { place, folder } = this.#deps;
    const shown: ShownFolder[] = [];
    for (const path of this.#shown) {
      const at = await placeFor(place.root, path);
      if (at !== undefined) shown.push({ from: join(folder, path), at });
    }
    return shown;
  }

  /** The absolute path of a folder of the copy. Throws a Refusal for any other. */
  async #checkedFolder(path: string): Promise<string> {
    const { root } = this.#deps.place;
    if (path === "") return root;
    const place = join(root, path);
    const found = await placeInside([root], place).catch(() => undefined);
    if (found === undefined || !(await lstat(join(root, found))).isDirectory())
      throw new Refusal(`The command was not run, because there is no folder ${path}.`);
    return join(root, found);
  }
}

const mostNamed = 5;

function ignoredWords(shown: readonly string[]): string {
  if (shown.length === 0) return "Ignored files, such as node_modules, are not there.";
  const names = shown.slice(0, mostNamed).map(visibleLine).join(", ");
  const more = shown.length > mostNamed ? `, and ${shown.length - mostNamed} more` : "";
  return `Of ignored files, only these folders are there, and can be neither written nor moved: ${names}${more}.`;
}

interface Line {
  readonly folder: string;
  readonly command: string;
  readonly seconds: number;
}

/** Resolves to its output and how it ended. Rejects with the reason of the signal, once it has ended. */
async function runIn(
  sandboxed: Sandboxed,
  { folder, command, seconds }: Line,
  signal: AbortSignal,
  began: CallContext["began"],
): Promise<string> {
  const env = { ...process.env, PAGER: "cat", GIT_PAGER: "cat", GIT_OPTIONAL_LOCKS: "0" };
  const running: PlainCommand = startPlainCommand(command, folder, sandboxed, env);
  const outputNow = () => running.output.text().trimEnd();
  began(() => ({ output: outputNow() }));
  const late = AbortSignal.timeout(seconds * 1000);
  const whole = AbortSignal.any([signal, late]);
  const end = () => endGently(running);
  whole.addEventListener("abort", end, { once: true });
  if (whole.aborted) end();
  const verdict = await running.ended.finally(() => {
    whole.removeEventListener("abort", end);
    sandboxed.release();
  });
  signal.throwIfAborted();
  const [written, how] = [outputNow(), late.aborted ? `It was ended after ${seconds} s.` : verdict];
  return written === "" ? how : `${written}\n${how}`;
}

/** The folder of a command, relative to the workspace; empty for the workspace folder. */
function folderOf(input: ToolInput): string {
  return inputText(input, "cwd");
}
