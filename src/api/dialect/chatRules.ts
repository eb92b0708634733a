import * as z from "zod";
import { type Members, membersOf } from "../../shared/members.ts";

/** Limits of a chat request in which the dialects differ (wire.md sections 5 and 11). */
export interface ChatLimits {
  readonly cacheTtl: boolean;
  /** Tool messages must be one text. */
  readonly plainToolTurns: boolean;
  readonly emptyTextParts: boolean;
  /** Allows assistant messages without content and calls. */
  readonly emptyTurns: boolean;
  /** Undefined if any format may be tried. */
  readonly audioFormats: readonly string[] | undefined;
  /** Type of the values of `metadata`. */
  readonly metadata: "text" | "any";
}

/** A violated rule: the path to the field, and the rule with the actual value. */
interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The members of a chat request with additional rules in a dialect. */
export function chatMembers(limits: ChatLimits) {
  return {
    messages: held((messages) =>
      (Array.isArray(messages) ? messages : []).flatMap((message, index) =>
        messageIssues(limits, membersOf(message), [index]),
      ),
    ),
    ...(limits.metadata === "text" ? { metadata: held(metadataIssues).optional() } : {}),
  };
}

function held(issuesOf: (value: unknown) => Issue[]) {
  return z.unknown().superRefine((value, context) => {
    for (const { path, message } of issuesOf(value)) {
      context.addIssue({ code: "custom", path: [...path], message });
    }
  });
}

function metadataIssues(metadata: unknown): Issue[] {
  return Object.entries(membersOf(metadata)).flatMap(([name, value]) =>
    typeof value === "string" ? [] : [{ path: [name], message: `must be text (is ${kindOf(value)})` }],
  );
}

function messageIssues(limits: ChatLimits, message: Members, at: Issue["path"]): Issue[] {
  const { role, content } = message;
  if (!Array.isArray(content)) return limits.emptyTurns ? [] : turnIssues(message, at);
  if (role === "tool" && limits.plainToolTurns) {
    return [
      { path: [...at, "content"], message: `a tool turn takes text alone (has ${content.length} parts)` },
    ];
  }
  return content.flatMap((part, index) =>
    partIssues(limits, role, membersOf(part), [...at, "content", index]),
  );
}

function turnIssues({ role, content, tool_calls: calls }: Members, at: Issue["path"]): Issue[] {
  const isEmpty =
    role === "assistant" && typeof content !== "string" && !(Array.isArray(calls) && calls.length);
  return isEmpty
    ? [{ path: [...at, "content"], message: "an assistant turn needs content or calls (has neither)" }]
    : [];
}

function partIssues(limits: ChatLimits, role: unknown, part: Members, at: Issue["path"]): Issue[] {
  const { type, text, cache_control, input_audio } = part;
  const { ttl } = membersOf(cache_control);
  const issues: Issue[] = [];
  if (ttl !== undefined && !limits.cacheTtl)
    issues.push({
      path: [...at, "cache_control", "ttl"],
      message: "this dialect does not have it; leave it out",
    });
  if (role !== "user" && type !== "text")
    issues.push({
      path: [...at, "type"],
      message: `only a user's turn takes other parts than text (is ${type})`,
    });
  if (text === "" && !limits.emptyTextParts)
    issues.push({ path: [...at, "text"], message: "must have at least 1 character (has 0)" });
  if (input_audio && limits.audioFormats) {
    const format = String(membersOf(input_audio).format);
    const { audioFormats } = limits;
    if (!audioFormats.includes(format))
      issues.push({
        path: [...at, "input_audio", "format"],
        message: `must be ${audioFormats.join(" or ")} (is ${/^\w{1,16}$/.test(format) ? format : "another"})`,
      });
  }
  return issues;
}

/** Never the value itself because it may be private. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
