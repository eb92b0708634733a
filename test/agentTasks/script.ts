import type { Style } from "./styles.ts";
import type { Action, AgentTask } from "./task.ts";
import type { ModelReply } from "./wire/reply.ts";

/** The recorded answers of a model in one task. */
export interface Script {
  /** The next answer. Throws if the results are not what the model needs. */
  reply(results: readonly string[]): ModelReply;
  /** The last answer was given. */
  readonly isEnded: boolean;
  /** Throws unless all answers were given. `last` is the last message of the chat. */
  assertEnded(last: string): void;
}

/** `folder` is the workspace as the model writes it. Unless it is strict, any result will do. */
export function createScript(
  { name, rounds }: AgentTask,
  style: Style,
  folder: string,
  isStrict = true,
): Script {
  let round = -1;
  /** Results of the calls of the round so far. */
  let results: string[] = [];
  /** Calls of the round that a model which writes one in each reply has not written yet. */
  let open: Action[] = [];
  const isEnded = () => round === rounds.length - 1 && open.length === 0;
  return {
    get isEnded() {
      return isEnded();
    },
    reply(newest) {
      if (round >= 0) results.push(...newest);
      if (open.length === 0) {
        round += 1;
        open = [...nextActions(results)];
        results = [];
      }
      const count = style.isParallel ? open.length : 1;
      const actions = open.splice(0, count);
      const text = actions.length === 0 ? "It is done." : "";
      return { text: style.says(actions) + text, calls: actions.map((action) => style.call(action, folder)) };
    },
    assertEnded(last) {
      if (!isEnded())
        throw new Error(`${name}, ${style.name}: ended in round ${round + 1} of ${rounds.length}: ${last}`);
    },
  };

  function nextActions(seen: readonly string[]): readonly Action[] {
    const next = rounds[round];
    const told = seen.join("\n");
    const fault = (what: string, pattern: RegExp) =>
      new Error(`${name}, ${style.name}, round ${round + 1}: the model was ${what} ${pattern}:\n${told}`);
    if (!next) throw new Error(`${name}, ${style.name}: asked again after the last round:\n${told}`);
    const { relies = [], refutes = [] } = isStrict ? next : {};
    const missing = relies.find((pattern) => !pattern.test(told));
    if (missing) throw fault("not told", missing);
    const untrue = refutes.find((pattern) => pattern.test(told));
    if (untrue) throw fault("told", untrue);
    const { acts = [] } = next;
    const actions = typeof acts === "function" ? acts(seen) : acts;
    return style.joinsEdits ? withJoinedEdits(actions) : actions;
  }
}

/** Edits of one file that follow each other are one. */
function withJoinedEdits(actions: readonly Action[]): readonly Action[] {
  const joined: Action[] = [];
  for (const action of actions) {
    const last = joined.at(-1);
    const isNext = action.do === "edit" && last?.do === "edit" && action.path === last.path;
    if (isNext) joined.splice(-1, 1, { ...last, edits: [...last.edits, ...action.edits] });
    else joined.push(action);
  }
  return joined;
}
