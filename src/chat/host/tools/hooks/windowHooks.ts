import { dirname } from "node:path";
import type { PendingChanges, ProgramRun } from "../../../../changes/engine/pendingChanges.ts";
import { digestInside } from "../../../../platform/files/bounded/digestInside.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import type { Consents } from "../../../../session/consent/consents.ts";
import { optionalMember } from "../../../../shared/members.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import { notesOf } from "../commands/programChanges.ts";
import type { CallContext } from "../tool.ts";
import type { Hook, HookEvent, ReadHooks } from "./hookFile.ts";
import { type HookSays, hookName, nothingSaid, readHookOutput } from "./hookOutput.ts";
import { folderOf, runHook } from "./runHook.ts";

export interface WindowHooksDeps {
  read(): Promise<ReadHooks>;
  readonly consents: Pick<Consents, "use" | "give">;
  /** Asks the user whether a hook may run. Resolves to undefined without an answer. */
  ask(hook: Hook, signal: AbortSignal): Promise<boolean | undefined>;
  /** Of all files of the workspace. */
  readonly changes: () => Promise<Pick<PendingChanges, "programs">>;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => Date;
}

/** An event of a chat. */
export interface HookOccasion {
  readonly event: HookEvent;
  /** The id of the conversation. */
  readonly session: string;
  /** The members for this event. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly changed: CallContext["changed"];
}

/** Above this a file that a hook names counts by its size and times. */
const mostDigestBytes = 10_000_000;

/** The hooks of the workspace and of the user, each allowed once by its content. */
export class WindowHooks {
  readonly #deps: WindowHooksDeps;
  /** The hashes of hooks that the user did not allow: not asked again in this window. */
  readonly #declined = new Set<string>();
  readonly #questions = new SerialQueue();

  constructor(deps: WindowHooksDeps) {
    this.#deps = deps;
  }

  /** Whether a hook runs at this event. */
  async has(event: HookEvent): Promise<boolean> {
    return (await this.#deps.read()).hooks.some((hook) => hook.event === event);
  }

  /**
   * Runs the hooks of an event, one after the other, until one refuses or stops. What they change in files is recorded as of
   * a command. Rejects with the signal's reason.
   */
  async run(occasion: HookOccasion): Promise<HookSays> {
    const { event, signal } = occasion;
    const { hooks, problems } = await this.#deps.read();
    const said: HookSays[] = [{ ...nothingSaid, notes: problems }];
    let recorded: ProgramRun | undefined;
    try {
      for (const hook of hooks) {
        if (hook.event !== event) continue;
        if (!(await this.#isAllowed(hook, signal))) {
          said.push({ ...nothingSaid, notes: [notAllowed(hook)] });
          continue;
        }
        recorded ??= await this.#record(occasion, said);
        const says = await this.#runOne(hook, occasion);
        said.push(says);
        if (says.refusal !== undefined || says.halt !== undefined) break;
      }
    } finally {
      const end = await recorded?.end();
      if (end) said.push({ ...nothingSaid, context: notesOf(end, "a hook") });
    }
    return joined(said);
  }

  async #runOne(hook: Hook, { event, session, input, signal }: HookOccasion): Promise<HookSays> {
    const text = JSON.stringify({
      timestamp: this.#deps.now().toISOString(),
      cwd: folderOf(hook),
      // The editor and the formats that it reads spell these two differently.
      ...{ sessionId: session, session_id: session, hookEventName: event, hook_event_name: event },
      ...input,
    });
    const says = readHookOutput(hook, await runHook(hook, text, this.#deps.env, signal));
    return {
      ...reasonsBy((name) => (says[name] === undefined ? undefined : `${hookName(hook)}: ${says[name]}`)),
      notes: says.notes,
      context: says.context.map((one) => `(From ${hookName(hook)}) ${one}`),
    };
  }

  /** Undefined if what hooks change can't be recorded, which the user is told. */
  async #record({ signal, changed }: HookOccasion, said: HookSays[]): Promise<ProgramRun | undefined> {
    try {
      return await (await this.#deps.changes()).programs.begin(signal, changed);
    } catch (error) {
      signal.throwIfAborted();
      const note = `What hooks change can't be rewound: ${messageOf(error)}`;
      said.push({ ...nothingSaid, notes: [note] });
      return undefined;
    }
  }

  async #isAllowed(hook: Hook, signal: AbortSignal): Promise<boolean> {
    const hash = await hashOf(hook);
    const key = { kind: "hook", receiver: hook.file.label, subject: [hash] } as const;
    if (this.#deps.consents.use(key)) return true;
    if (this.#declined.has(hash)) return false;
    const asked = this.#questions.run(async () => {
      // Answered for another call meanwhile.
      if (this.#deps.consents.use(key)) return true;
      if (signal.aborted || this.#declined.has(hash)) return false;
      const answer = await this.#deps.ask(hook, signal);
      if (answer === true) await this.#deps.consents.give({ ...key, says: saidOf(hook) });
      // Another list, as that of the commands, closes the question: the next call asks again.
      if (answer === false) this.#declined.add(hash);
      return answer === true;
    });
    if (!(await untilAborted(asked, signal))) return false;
    // The files that it names may have changed while the user decided.
    return (await hashOf(hook)) === hash || this.#isAllowed(hook, signal);
  }
}

/** What the user allows: all that decides about what runs, with the files that the command names. */
async function hashOf(hook: Hook): Promise<string> {
  const { event, command, shell = "", cwd = "", env, file } = hook;
  const named = [command, ...Object.values(env)].flatMap(pathsIn);
  const roots = [file.folder, ...(file.isOwn ? [dirname(file.path)] : [])];
  const files = await digestInside([...new Set(named)], folderOf(hook), roots, mostDigestBytes);
  // A hook of the user is the same in all workspaces, unless it names a file of one.
  const place = file.isOwn ? file.path : [file.path, file.folder].join("\0");
  return sha256(JSON.stringify([event, command, shell, cwd, Object.entries(env), place, files]));
}

/** Folders into which a command changes that are looked at. */
const mostChanges = 5;

/**
 * Words of a command that could be paths of files that it runs, also below a variable or a substitution (`$PWD/a.sh`,
 * `"$(git rev-parse --show-toplevel)"/a.sh`) and after a change of the folder. More than it names only asks more often.
 */
function pathsIn(text: string): readonly string[] {
  const words = text.split(/[\s"'`;|&()<>$={},%]+/).filter((word) => word !== "");
  const folders = words
    .filter((_, index) => /^(cd|pushd)$/.test(words[index - 1] ?? ""))
    .slice(0, mostChanges);
  const within = words.flatMap((word) => {
    const steps = word.split(/[/\\]/);
    return steps.map((_, index) => steps.slice(index).join("/"));
  });
  const each = [...words, ...within].filter((word) => word !== "");
  return [...each, ...folders.flatMap((folder) => each.map((word) => `${folder}/${word}`))];
}

function saidOf({ event, command }: Hook): string {
  return `${whenOf(event)}: ${shortened(command, 150)}`;
}

/** When a hook runs, for the user. */
export function whenOf(event: HookEvent): string {
  if (event === "PreToolUse") return "Before each call of a tool";
  return event === "PostToolUse" ? "After each call of a tool" : "At the end of each task";
}

function notAllowed(hook: Hook): string {
  const name = hookName(hook);
  return `T${name.slice(1)} did not run, because you have not allowed it.`;
}

type Reasons = Pick<HookSays, "refusal" | "ask" | "halt" | "goOn">;

function reasonsBy(find: (name: keyof Reasons) => string | undefined): Reasons {
  return {
    ...optionalMember("refusal", find("refusal")),
    ...optionalMember("ask", find("ask")),
    ...optionalMember("halt", find("halt")),
    ...optionalMember("goOn", find("goOn")),
  };
}

/** What several hooks say: the first reason of each kind, and all contexts and notes. */
function joined(said: readonly HookSays[]): HookSays {
  return {
    ...reasonsBy((name) => said.find((says) => says[name] !== undefined)?.[name]),
    context: said.flatMap(({ context }) => context),
    notes: [...new Set(said.flatMap(({ notes }) => notes))],
  };
}
