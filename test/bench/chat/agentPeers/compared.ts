import type { TaskFigures } from "../../../agentTasks/taskFigures.ts";

/** A task that every agent can do, with tools that each of them has. */
interface ComparedTask {
  readonly name: string;
  /** What the work of each round gives, by whatever tool: an agent that is not told it has done less in that time. */
  readonly facts: readonly RegExp[];
}

export const comparedTasks: readonly ComparedTask[] = [
  { name: "fix a failing test", facts: [/not ok 1/, /toLowerCase/, /# pass 1\b/] },
  { name: "rename over nine files", facts: [/src\/theta\.js/, /\[ 2, 3 \]/] },
];

/** What another agent took. */
export interface PeerFigures {
  readonly figures: TaskFigures;
  /** Why the files are not as asked, although it was given every answer; or what it was not told. Absent if it did the task. */
  readonly fault?: string;
}
