import * as z from "zod";

/** The version of the log's meaning. A reader of an older one leaves the file alone. */
export const logVersion = 2;

const id = z.string().min(1).max(200);
/** Unix time in milliseconds, of a date that can be shown: one that can't would keep the whole list from being drawn. */
export const LogTime = z.number().min(-8.64e15).max(8.64e15);
const fields = z.record(z.string(), z.unknown());

/** A message as the log keeps it: what this version does not know of it stays as it is. */
export const LogNode = z.looseObject({ id, parentId: id.nullable(), role: z.string().min(1) });
export type LogNode = z.infer<typeof LogNode>;

export const LogDraft = z.object({ text: z.string(), revision: z.number() });

/** Who wrote a line, and its place among that writer's lines: one that comes twice counts once. */
const written = { w: z.string().max(40).exactOptional(), n: z.int().nonnegative().exactOptional() };

const Head = z.looseObject({
  e: z.literal("head"),
  v: z.int(),
  id,
  createdAtMs: LogTime,
  updatedAtMs: LogTime.exactOptional(),
  /** By writer: the last of its lines that this log has taken in. */
  seen: z.record(z.string(), z.number()).exactOptional(),
});
/** A message, added or written anew; `t` is when. */
const Node = z.object({ e: z.literal("node"), ...written, t: LogTime, node: LogNode });
/** More of a message's text; `at` is its length before. */
const Append = z.object({
  e: z.literal("append"),
  ...written,
  id,
  part: z.string().min(1).max(40),
  at: z.int().nonnegative(),
  text: z.string(),
});
/** Members of a message, replaced; `null` says nothing, a member in `drop` goes. */
const Patch = z.object({
  e: z.literal("patch"),
  ...written,
  id,
  patch: fields,
  drop: z.array(z.string()).exactOptional(),
});
/** Which message is the last one shown. */
const Leaf = z.object({ e: z.literal("leaf"), ...written, id: id.nullable() });
/** What holds for the whole conversation: title, pinned, model, settings … */
const Meta = z.object({
  e: z.literal("meta"),
  ...written,
  meta: fields,
  drop: z.array(z.string()).exactOptional(),
});
const Draft = z.object({ e: z.literal("draft"), ...written, draft: LogDraft });
/** A message goes, and all that follows it. */
const Remove = z.object({ e: z.literal("remove"), ...written, id });

/** One line of a conversation's log. */
export const LogLine = z.discriminatedUnion("e", [Head, Node, Append, Patch, Leaf, Meta, Draft, Remove]);
export type LogLine = z.infer<typeof LogLine>;
export type LogHead = z.infer<typeof Head>;

type Unwritten<Line> = Line extends unknown ? Omit<Line, "w" | "n"> : never;
/** One change of a conversation, not yet signed by its writer. */
export type LogEntry = Unwritten<Exclude<LogLine, LogHead>>;

const kinds = new Set(LogLine.options.map((option) => option.shape.e.value as string));
const OtherLine = z.looseObject({ e: z.string() });

/** What a line says; `unknown` from a newer version, `bad` where nobody can have meant it. */
export function readLine(text: string): LogLine | "unknown" | "bad" {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "bad";
  }
  const line = LogLine.safeParse(value);
  if (line.success) return line.data;
  const other = OtherLine.safeParse(value);
  return other.success && !kinds.has(other.data.e) ? "unknown" : "bad";
}
