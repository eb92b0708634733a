import * as z from "zod";
import { checkedLine, withChecksum } from "../../../../platform/files/durable/checkedLine.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";

/** Version of the log format. Older readers leave the file unchanged. */
export const logVersion = 2;

const id = z.string().min(1).max(200);
/** Unix time in milliseconds within the range of Date: a time outside it would break the rendering of the list. */
export const LogTime = z.number().min(-8.64e15).max(8.64e15);
const fields = z.record(z.string(), z.unknown());

/** A message in the log; unknown members are preserved. */
export const LogNode = z.looseObject({ id, parentId: id.nullable(), role: z.string().min(1) });
export type LogNode = z.infer<typeof LogNode>;

export const LogDraft = z.object({ text: z.string(), revision: z.number() });

/** Writer and number of a line, so that a duplicate is applied once. */
const written = { w: z.string().max(40).exactOptional(), n: z.int().nonnegative().exactOptional() };

const Head = z.looseObject({
  e: z.literal("head"),
  v: z.int(),
  id,
  createdAtMs: LogTime,
  updatedAtMs: LogTime.exactOptional(),
  /** Number of the last applied line, by writer. */
  seen: z.record(z.string(), z.number()).exactOptional(),
});
/** A message, added or replaced; `t` is the time. */
const Node = z.object({ e: z.literal("node"), ...written, t: LogTime, node: LogNode });
/** Text appended to a message; `at` is the length before. */
const Append = z.object({
  e: z.literal("append"),
  ...written,
  id,
  part: z.string().min(1).max(40),
  at: z.int().nonnegative(),
  text: z.string(),
});
/** Replaced members of a message; `null` means no value, members in `drop` are removed. */
const Patch = z.object({
  e: z.literal("patch"),
  ...written,
  id,
  patch: fields,
  drop: z.array(z.string()).exactOptional(),
});
/** The last message of the shown path. */
const Leaf = z.object({ e: z.literal("leaf"), ...written, id: id.nullable() });
/** Values of the whole conversation: title, pinned, model, settings … */
const Meta = z.object({
  e: z.literal("meta"),
  ...written,
  meta: fields,
  drop: z.array(z.string()).exactOptional(),
});
const Draft = z.object({ e: z.literal("draft"), ...written, draft: LogDraft });
/** Removes a message and its descendants. */
const Remove = z.object({ e: z.literal("remove"), ...written, id });

/** One line of a conversation's log. */
export const LogLine = z.discriminatedUnion("e", [Head, Node, Append, Patch, Leaf, Meta, Draft, Remove]);
export type LogLine = z.infer<typeof LogLine>;
export type LogHead = z.infer<typeof Head>;

type Unwritten<Line> = Line extends unknown ? Omit<Line, "w" | "n"> : never;
/** A change of a conversation, before it is stamped by its writer. */
export type LogEntry = Unwritten<Exclude<LogLine, LogHead>>;

const kinds = new Set(LogLine.options.map((option) => option.shape.e.value as string));
const OtherLine = z.looseObject({ e: z.string() });

/** Parses a line; `unknown` for a newer version, `bad` for a damaged line. */
export function readLine(text: string): LogLine | "unknown" | "bad" {
  const checked = checkedLine(text);
  const value = checked && parseJson(checked.line);
  const line = LogLine.safeParse(value);
  if (line.success) return line.data;
  const other = OtherLine.safeParse(value);
  return other.success && !kinds.has(other.data.e) ? "unknown" : "bad";
}

/** The writer's name and its line counter. */
export interface LineNumberer {
  readonly writer: string;
  next(): number;
}

export function createLineNumberer(writer: string): LineNumberer {
  let n = 0;
  return {
    writer,
    next() {
      n += 1;
      return n;
    },
  };
}

/** A line of the file. */
export function stampLine(entry: LogEntry, { writer, next }: LineNumberer): string {
  return withChecksum(JSON.stringify({ ...entry, w: writer, n: next() }));
}
