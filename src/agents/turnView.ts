import { visibleLine } from "../shared/text/html/visibleText.ts";
import { parseJson } from "../shared/text/json/parseJson.ts";
import { shortened } from "../shared/text/shortened.ts";
import type { CallContent, SessionUpdate, Step } from "./wire/agentMessages.ts";

/** A step of an agent, as it is shown. Nothing in it is checked. */
export interface AgentCall {
  readonly id: string;
  /** One line. */
  readonly title: string;
  /** As the agent calls it: `read`, `edit`, `execute` … */
  readonly kind: NonNullable<Step["kind"]>;
  readonly state: "runs" | "done" | "failed";
  /** JSON, bounded. */
  readonly input: string;
  /** Its result so far, bounded. */
  readonly text: string;
}

const maxTitleLength = 300;
const maxInputLength = 4_000;
const maxTextLength = 20_000;
const maxPlanEntries = 100;

/** A step after another message about it. Without a step before, the message begins one. */
export function changedCall(before: AgentCall | undefined, step: Step): AgentCall {
  const { title, kind, status, rawInput } = step;
  return {
    id: step.toolCallId,
    title: title ? titleLine(title) : (before?.title ?? "A step without a title"),
    kind: kind ?? before?.kind ?? "other",
    state: status ? stateOf(status) : (before?.state ?? "runs"),
    input: rawInput === undefined || rawInput === null ? (before?.input ?? "{}") : inputText(rawInput),
    text: resultText(step) ?? before?.text ?? "",
  };
}

export function titleLine(text: string): string {
  return shortened(visibleLine(text.slice(0, 2 * maxTitleLength)), maxTitleLength);
}

function stateOf(status: NonNullable<Step["status"]>): AgentCall["state"] {
  if (status === "completed") return "done";
  return status === "failed" ? "failed" : "runs";
}

/** A JSON text of an object, also if it is too long. */
function inputText(input: unknown): string {
  const text = JSON.stringify(input);
  const isWhole = text.length <= maxInputLength && typeof parseJson(text) === "object";
  return isWhole ? text : JSON.stringify({ input: shortened(text, maxInputLength) });
}

/** Some agents tell a result as data alone. Undefined if the message has none. */
function resultText({ content, rawOutput }: Step): string | undefined {
  if (content?.length) return shortened(content.map(contentText).join("\n"), maxTextLength);
  if (rawOutput === undefined || rawOutput === null) return undefined;
  return shortened(
    typeof rawOutput === "string" ? rawOutput : JSON.stringify(rawOutput, undefined, 1),
    maxTextLength,
  );
}

function contentText(content: CallContent): string {
  if (content.type === "content") return content.content.text.slice(0, maxTextLength);
  return content.type === "diff" ? diffText(content) : "";
}

const mostDiffLines = 200;

/** The lines that differ between the first and the last one that does. */
function diffText({ path, oldText, newText }: Extract<CallContent, { readonly type: "diff" }>): string {
  const [old, now] = [oldText ?? "", newText].map((text) => (text === "" ? [] : text.split("\n")));
  const [before, after] = [old ?? [], now ?? []];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start += 1;
  let same = 0;
  const most = Math.min(before.length, after.length) - start;
  while (same < most && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const lines = [
    ...before.slice(start, before.length - same).map((line) => `-${line}`),
    ...after.slice(start, after.length - same).map((line) => `+${line}`),
  ];
  const more = lines.length > mostDiffLines ? [`… ${lines.length - mostDiffLines} more lines`] : [];
  return [titleLine(path), ...lines.slice(0, mostDiffLines), ...more].join("\n");
}

type PlanUpdate = Extract<SessionUpdate["update"], { readonly sessionUpdate: "plan" }>;

/** Markdown with `- [ ]` items. */
export function planText({ entries }: PlanUpdate): string {
  return entries
    .slice(0, maxPlanEntries)
    .map(({ content, status }) => `- [${status === "completed" ? "x" : " "}] ${titleLine(content)}`)
    .join("\n");
}
