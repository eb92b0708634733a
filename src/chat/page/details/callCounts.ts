import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { plural } from "../../../shared/text/plural.ts";
import type { ToolCallCard } from "../../protocol/chatMessages.ts";
import { formatSeconds } from "../format.ts";

/** What several finished calls have done, as one line, such as `Read 3 files, searched once, edited 2 files`. */
export interface CallCounts {
  readonly did: string;
  /** `1 failed, 2 with an exit code other than 0`; empty if all went well. */
  readonly errors: string;
  /** Their time together; empty if it is unknown or short. */
  readonly took: string;
}

type Action = (calls: readonly ToolCallCard[]) => string;

const times = (count: number) => (count === 1 ? "once" : `${count} times`);
const files =
  (verb: string): Action =>
  (calls) =>
    `${verb} ${plural(pathsIn(calls), "file")}`;
const looked: Action = (calls) => `looked up ${plural(calls.length, "name")}`;
const ran: Action = (calls) => `ran ${plural(calls.length, "command")}`;

const byName: Readonly<Record<string, Action>> = {
  read_file: files("read"),
  list_files: (calls) => `listed ${plural(pathsIn(calls), "folder")}`,
  search_workspace: (calls) => `searched ${times(calls.length)}`,
  find_symbols: looked,
  find_references: looked,
  read_problems: () => "read the problems",
  rename_symbol: (calls) => `renamed ${plural(calls.length, "symbol")}`,
  move_file: files("moved"),
  delete_file: files("deleted"),
  ask_user: (calls) => `asked you ${times(calls.length)}`,
  update_plan: () => "updated the plan",
  delegate: (calls) => `ran ${plural(calls.length, "subagent")}`,
  read_command_output: (calls) => `read output ${times(calls.length)}`,
};
const byKind: Readonly<Partial<Record<NonNullable<ToolCallCard["kind"]>, Action>>> = {
  edit: files("edited"),
  command: ran,
  plan: () => "updated the plan",
};
/** Kinds of actions in one line. */
const mostActions = 5;
const shortMs = 500;

/** `all` are the calls of the round, with those that failed; `folded` are the ones behind the line. */
export function countsOf(folded: readonly ToolCallCard[], all: readonly ToolCallCard[]): CallCounts {
  const groups = [...Map.groupBy(folded, actionOf)];
  const texts = groups
    .slice(0, mostActions)
    .map(([action, calls]) => (typeof action === "string" ? otherText(action, calls) : action(calls)));
  const rest = groups.slice(mostActions).reduce((sum, [, calls]) => sum + calls.length, 0);
  const did = [...texts, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  const failed = all.filter(({ state }) => state === "failed").length;
  const ended = folded.filter((call) => exitCodeOf(call) !== undefined).length;
  const errors = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(ended > 0 ? [`${ended} with an exit code other than 0`] : []),
  ].join(", ");
  const ms = folded.reduce((sum, call) => sum + (call.ms ?? 0), 0);
  return {
    did: did.charAt(0).toUpperCase() + did.slice(1),
    errors,
    took: ms < shortMs ? "" : formatSeconds(ms),
  };
}

/** The title for a tool of a workspace, which may have any name. */
function actionOf({ kind, name, tool = name, title }: ToolCallCard): Action | string {
  return (kind && (byName[tool] ?? byKind[kind])) ?? visibleLine(title);
}

function otherText(title: string, calls: readonly ToolCallCard[]): string {
  return calls.length === 1 ? title : `${title} ${times(calls.length)}`;
}

/** The number of different paths that calls name; of the calls if they name none. */
function pathsIn(calls: readonly ToolCallCard[]): number {
  const paths = calls.map((call) => {
    const input = parseJson(call.runs ?? call.arguments) as Readonly<Record<string, unknown>> | undefined;
    const path = input?.path ?? input?.file_path ?? input?.from;
    return typeof path === "string" ? path.replace(/^\.\//, "") : call.id;
  });
  return new Set(paths).size;
}

/** The exit code of a command that is not 0. */
export function exitCodeOf({ kind, result = "" }: ToolCallCard): string | undefined {
  return kind === "command" ? /(?:^|\n)Exit code ([1-9]\d*)\./.exec(result)?.[1] : undefined;
}
