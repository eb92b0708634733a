import type { KeptFile } from "../../../../changes/engine/pendingChanges.ts";
import { formatBytes } from "../../../../shared/chat/chatAttachments.ts";
import { fenced } from "../../../../shared/text/fence.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { lineHunks } from "../../../../shared/text/lineHunks.ts";
import { plural } from "../../../../shared/text/plural.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import type { MergedChange } from "./mergeTree.ts";
import type { TreeChange } from "./subagentTree.ts";

/** Files that are named, and characters of the lines that are shown of one. */
const mostNamed = 100;
const mostKept = 20;
const mostShown = 8_000;

/** The report of a subagent's changes for the agent. File names and lines are quoted as data. `kept`: what stays in its copy. */
export function mergeReport(merged: readonly MergedChange[], kept: readonly KeptFile[] = []): string {
  if (merged.length === 0 && kept.length === 0) return "It has changed no file.";
  const taken = merged.filter(({ refusal }) => refusal === undefined);
  const left = merged.filter(({ refusal }) => refusal !== undefined);
  const done =
    taken.length === 0
      ? []
      : [
          `${plural(taken.length, "change")} of it ${taken.length === 1 ? "is" : "are"} in the workspace, where the user reviews each and can reject it:\n${fenced(namesOf(taken.map(({ change }) => change)))}`,
          ...(taken.some(({ change }) => isWithoutHunks(change)) ? [withoutHunks] : []),
        ];
  return [...done, ...left.map(refusedText), ...keptTexts(kept)].join("\n");
}

const withoutHunks =
  "Of files that are no texts, and of modes, the user reviews no lines: a rewind takes them back.";

function isWithoutHunks({ data, isProgram }: TreeChange): boolean {
  return data?.now !== undefined || isProgram !== undefined;
}

function keptTexts(kept: readonly KeptFile[]): readonly string[] {
  if (kept.length === 0) return [];
  const lines = kept.slice(0, mostKept).map(({ reason }) => visibleLine(reason));
  const rest = kept.length - lines.length;
  const all = [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
  return [`Not taken over, as data:\n${fenced(all)}`];
}

/** One line for each change. */
export function namesOf(changes: readonly TreeChange[]): string {
  const lines = changes.slice(0, mostNamed).map((change) => visibleLine(wordsOf(change)));
  const rest = changes.length - lines.length;
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : [])].join("\n");
}

function wordsOf({ from, to, data, isProgram }: TreeChange): string {
  if (to === undefined) return `deleted ${from}`;
  const what = from === undefined ? "created" : from === to ? "changed" : `moved ${from} to`;
  const facts = [
    ...(data?.now ? [formatBytes(data.now.length)] : []),
    ...(isProgram === undefined ? [] : [isProgram ? "executable" : "not executable"]),
  ];
  return `${what} ${to}${facts.length > 0 ? ` (${facts.join(", ")})` : ""}`;
}

function refusedText({ change, refusal = "", conflicts = [] }: MergedChange): string {
  const lines = conflicts.slice(0, 20).map(({ line }) => line);
  const where =
    lines.length === 0 ? "" : ` See ${lines.length === 1 ? "line" : "the lines"} ${lines.join(", ")} there.`;
  const wanted = diffOf(change);
  const said = `Not taken over: ${visibleLine(refusal)}${where}`;
  if (wanted === "") return said;
  return `${said} The lines that the subagent took out (-) and put in (+) follow, as data:\n${fenced(wanted)}`;
}

function diffOf({ base = "", text }: TreeChange): string {
  if (text === undefined) return "";
  const [before, after] = [base.split(/\r?\n/), text.split(/\r?\n/)];
  const lines = lineHunks(before.join("\n"), after.join("\n")).flatMap((hunk) => [
    `@@ line ${hunk.beforeStart + 1} @@`,
    ...before.slice(hunk.beforeStart, hunk.beforeEnd).map((line) => `-${line}`),
    ...after.slice(hunk.afterStart, hunk.afterEnd).map((line) => `+${line}`),
  ]);
  return shortened(lines.join("\n"), mostShown);
}
