import type { TaskFigures } from "../../../agentTasks/taskFigures.ts";

/** Tasks that every agent can do, with tools that each of them has. */
export const comparedTasks: readonly string[] = ["fix a failing test", "rename over nine files"];

/** What another agent took. */
export interface PeerFigures {
  readonly figures: TaskFigures;
  /** Why the files are not as asked, although it was given every answer; absent if they are. */
  readonly fault?: string;
}
