import type {
  KeptFile,
  PendingChanges,
  ProgramFile,
  ProgramResult,
  ProgramRun,
} from "../../../../changes/engine/pendingChanges.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import type { CallContext, ChatTool } from "../tool.ts";
import type { CommandRuns } from "./commandRuns.ts";

type Run = NonNullable<ChatTool["run"]>;

/** A program that runs on after its call. */
interface BackgroundProgram {
  readonly program: ProgramRun;
  /** The conversation that has started it. */
  readonly conversation: string | undefined;
}

/** Tools after which programs in the background are looked at. */
const looking: readonly string[] = ["read_command_output", "stop_command"];
/** Files that a result names, and those with a reason. */
const [mostNames, mostReasons] = [20, 5];

/**
 * Records which files the programs of tools change, so that they are pending and can be rewound as edits are. The result tells
 * the model. What a program in the background changes belongs to the call of its conversation that runs then.
 */
export class ProgramChanges {
  readonly #changes: () => Promise<PendingChanges>;
  readonly #runs: CommandRuns;
  readonly #background = new Map<string, BackgroundProgram>();
  /** The last call of each conversation. */
  readonly #latest = new Map<string, CallContext["changed"]>();

  constructor(changes: () => Promise<PendingChanges>, runs: CommandRuns) {
    this.#changes = changes;
    this.#runs = runs;
    // As long as the window, as the runs are.
    runs.onDidChange(() => this.#endBackground());
  }

  /** A tool that runs a program. */
  recorded(tool: ChatTool): ChatTool {
    const { run, prepare } = tool;
    if (!run) return tool;
    return {
      ...tool,
      prepare: async (input) => {
        // The program begins sooner if the contents of the files are kept while the user decides.
        this.#changes().then(
          ({ programs }) => programs.warm(),
          () => {},
        );
        await prepare?.(input);
      },
      run: (...given) => this.#run(run, ...given),
    };
  }

  /** Another tool: what programs in the background have changed before is told in its result. */
  followed(tool: ChatTool): ChatTool {
    const { run } = tool;
    if (!run) return tool;
    return {
      ...tool,
      run: async (input, signal, context) => {
        this.#follow(context);
        const result = await run(input, signal, context);
        if (!looking.includes(tool.name)) return result;
        const own = [...this.#background.values()].filter(
          ({ conversation }) => conversation === context.conversation,
        );
        const notes = await Promise.all(own.map(async ({ program }) => notesOf(await program.collect())));
        return [result, ...notes.flat()].join("\n");
      },
    };
  }

  async #run(run: Run, ...[input, signal, context]: Parameters<Run>): Promise<string> {
    const { conversation } = context;
    this.#follow(context);
    const onChanged: CallContext["changed"] = (some) =>
      ((conversation === undefined ? undefined : this.#latest.get(conversation)) ?? context.changed)(some);
    const begun = await this.#begin(signal, onChanged);
    if (typeof begun === "string") return `${await run(input, signal, context)}\n${begun}`;
    const before = new Set(this.#runs.list.map(({ id }) => id));
    let result: string;
    try {
      result = await run(input, signal, context);
    } catch (error) {
      const notes = notesOf(await begun.end());
      if (signal.aborted || notes.length === 0) throw error;
      throw new Refusal([messageOf(error), ...notes].join("\n"));
    }
    const own = this.#runs.list.find(({ id, ended }) => !before.has(id) && ended === undefined);
    if (own) this.#background.set(own.id, { program: begun, conversation });
    return [result, ...notesOf(await (own ? begun.collect() : begun.end()))].join("\n");
  }

  /** The reason if what it changes can't be recorded, as a sentence. Rejects if the signal is aborted. */
  async #begin(signal: AbortSignal, onChanged: CallContext["changed"]): Promise<ProgramRun | string> {
    try {
      const { programs } = await this.#changes();
      return await programs.begin(signal, onChanged);
    } catch (error) {
      signal.throwIfAborted();
      return `What it has changed can't be rewound: ${messageOf(error)}`;
    }
  }

  #follow({ conversation, changed }: CallContext): void {
    if (conversation !== undefined) this.#latest.set(conversation, changed);
  }

  #endBackground(): void {
    for (const [id, { program }] of this.#background) {
      const isRunning = this.#runs.list.some((one) => one.id === id && one.ended === undefined);
      if (isRunning) continue;
      this.#background.delete(id);
      void program.end().catch(() => {}); // told by the next collection
    }
  }
}

/** What the model is told, as sentences. */
export function notesOf({ files, kept, failure }: ProgramResult, by = "it"): readonly string[] {
  return [
    ...(files.length === 0 ? [] : [`Changed by ${by}: ${listed(files.map(nameOf), mostNames)}.`]),
    ...reasonsOf(kept),
    ...(failure === undefined ? [] : [`Which files ${by} has changed is not known: ${failure}`]),
  ];
}

function reasonsOf(kept: readonly KeptFile[]): readonly string[] {
  const more = kept.length - mostReasons;
  return [
    ...kept.slice(0, mostReasons).map(({ reason }) => reason),
    ...(more > 0 ? [`${more} more of these files can't be restored.`] : []),
  ];
}

/** `src/a.ts (+3 −1)`. */
function nameOf({ path, kind, added = 0, removed = 0 }: ProgramFile): string {
  if (kind !== "changed") return `${path} (${kind === "created" ? "new" : "deleted"})`;
  return added + removed === 0 ? path : `${path} (+${added} −${removed})`;
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
