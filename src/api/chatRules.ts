import type { FieldIssue } from "./errors.ts";

/** What one dialect takes of a chat request and another doesn't (wire.md sections 5 and 11). */
export interface ChatLimits {
  /** Top-level members that only the other dialect has. */
  readonly foreign: readonly string[];
  readonly cacheTtl: boolean;
  /** Turns of tools are text, in one piece. */
  readonly plainToolTurns: boolean;
  readonly emptyTextParts: boolean;
  /** Assistant turns with neither content nor calls. */
  readonly emptyTurns: boolean;
  /** Undefined where any may be tried. */
  readonly audioFormats: readonly string[] | undefined;
  /** What the values of `metadata` are. */
  readonly metadata: "text" | "any";
}

type Members = Readonly<Record<string, unknown>>;

/** Every rule of the dialect that a checked request breaks: the field, the rule, and what stands there. */
export function chatIssues(limits: ChatLimits, input: Members): FieldIssue[] {
  const messages = Array.isArray(input.messages) ? input.messages : [];
  return [
    ...limits.foreign.flatMap((name) =>
      input[name] === undefined
        ? []
        : [{ field: name, message: "this dialect does not have it; leave it out" }],
    ),
    ...messages.flatMap((message, index) => messageIssues(limits, message as Members, `messages.${index}`)),
    ...(limits.metadata === "text" ? metadataIssues(input.metadata) : []),
  ];
}

function metadataIssues(metadata: unknown): FieldIssue[] {
  return Object.entries(metadata ?? {}).flatMap(([name, value]) =>
    typeof value === "string"
      ? []
      : [{ field: `metadata.${name}`, message: `must be text (is ${kindOf(value)})` }],
  );
}

function messageIssues(limits: ChatLimits, message: Members, at: string): FieldIssue[] {
  const { role, content } = message;
  if (!Array.isArray(content)) return limits.emptyTurns ? [] : turnIssues(message, at);
  if (role === "tool" && limits.plainToolTurns) {
    return [
      { field: `${at}.content`, message: `a tool turn takes text alone (has ${content.length} parts)` },
    ];
  }
  return content.flatMap((part, index) => partIssues(limits, role, part, `${at}.content.${index}`));
}

function turnIssues({ role, content, tool_calls: calls }: Members, at: string): FieldIssue[] {
  const isEmpty =
    role === "assistant" && typeof content !== "string" && !(Array.isArray(calls) && calls.length);
  return isEmpty
    ? [{ field: `${at}.content`, message: "an assistant turn needs content or calls (has neither)" }]
    : [];
}

function partIssues(limits: ChatLimits, role: unknown, part: Members, at: string): FieldIssue[] {
  const { type, text, cache_control, input_audio } = part;
  const { ttl } = (cache_control ?? {}) as { readonly ttl?: unknown };
  const issues: FieldIssue[] = [];
  if (ttl !== undefined && !limits.cacheTtl)
    issues.push({ field: `${at}.cache_control.ttl`, message: "this dialect does not have it; leave it out" });
  if (role !== "user" && type !== "text")
    issues.push({
      field: `${at}.type`,
      message: `only a user's turn takes other parts than text (is ${type})`,
    });
  if (text === "" && !limits.emptyTextParts)
    issues.push({ field: `${at}.text`, message: "must have at least 1 character (has 0)" });
  if (input_audio && limits.audioFormats) {
    const { format } = input_audio as { readonly format: string };
    const { audioFormats } = limits;
    if (!audioFormats.includes(format))
      issues.push({
        field: `${at}.input_audio.format`,
        message: `must be ${audioFormats.join(" or ")} (is ${/^\w{1,16}$/.test(format) ? format : "another"})`,
      });
  }
  return issues;
}

/** Never the value itself: it may be private. */
function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
