import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ChatMessage } from "../../../../api/endpoints/chat/chatRequest.ts";
import { isNameOf } from "../../../../platform/files/blobStore.ts";
import { isMembers } from "../../../../shared/members.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { LogNode, LogTime } from "../log/logEntry.ts";
import { applyEntry, emptyLogState, type LogState } from "../log/logState.ts";
import { exportFormat, exportVersion, withoutChanges } from "./exportConversation.ts";

const Export = z.looseObject({
  format: z.literal(exportFormat),
  version: z.literal(exportVersion),
  title: z.string().max(10_000),
  createdAtMs: LogTime,
  updatedAtMs: LogTime,
  meta: z.record(z.string(), z.unknown()),
  leafId: z.string().nullable(),
  nodes: z.array(LogNode).max(100_000),
  /** Contents of attachments in base64, by blob name; older files have none. */
  blobs: z.record(z.string(), z.base64()).default({}),
});

/** Messages in the format of the OpenAI API, in an object that may also name the model. */
const Messages = z.looseObject({
  messages: z.array(ChatMessage).min(1).max(100_000),
  model: z.string().optional(),
});

/** The reason why a file is not imported, with field, rule and value. */
export class ImportRefused extends Error {}

/** An imported conversation, with the contents of its blobs. */
export interface Imported {
  readonly state: LogState;
  readonly blobs: ReadonlyMap<string, Uint8Array>;
}

/** Reads a file in the extension's format, or an array of messages. Throws ImportRefused and imports nothing then. */
export function readImport(text: string, now = Date.now()): Imported {
  const value = parseJson(text);
  if (isMembers(value) && "format" in value) {
    const whole = checked(Export, value);
    return { state: fromExport(whole, now), blobs: blobsOf(whole) };
  }
  // The format is known by now, so the error of that format alone is clearer than the error of a union.
  const whole = Array.isArray(value) ? { messages: value } : value;
  if (!isMembers(whole) || !("messages" in whole)) {
    throw new ImportRefused(
      "This is neither an exported conversation (it has no `format`) nor messages (not an array, and no `messages`).",
    );
  }
  return { state: fromMessages(checked(Messages, whole), now), blobs: new Map() };
}

/** The name of a blob must be its hash, or it could replace an attachment of another conversation. */
function blobsOf({ blobs }: z.output<typeof Export>): Map<string, Uint8Array> {
  return new Map(
    Object.entries(blobs).map(([name, base64]) => {
      const bytes = Buffer.from(base64, "base64");
      if (!isNameOf(name, bytes))
        throw new ImportRefused(`\`blobs\` must name each content by its hash. It has ${shortly(name)}.`);
      return [name, bytes];
    }),
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ImportRefused(`The file is not JSON: ${messageOf(error)}.`);
  }
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new ImportRefused(issue ? sayIssue(issue, value) : "The file is invalid.");
}

function sayIssue(issue: z.core.$ZodIssue, value: unknown): string {
  const where = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  const found = issue.path.reduce<unknown>(
    (at, key) => (typeof at === "object" && at !== null ? Reflect.get(at, key) : undefined),
    value,
  );
  return `\`${where.replace(/^\./, "") || "the file"}\` is invalid: ${issue.message}. The value is ${shortly(found)}.`;
}

function shortly(value: unknown): string {
  if (value === undefined) return "missing";
  const text = JSON.stringify(value);
  return shortened(text, 60);
}

/** Gets a new id, because the exported conversation may still exist here. */
function fromExport(
  { nodes, leafId, meta, createdAtMs, updatedAtMs, title }: z.output<typeof Export>,
  now: number,
) {
  const state = emptyLogState(randomUUID(), createdAtMs);
  const ids = new Set<string>();
  nodes.forEach((node, place) => {
    if (ids.has(node.id))
      throw new ImportRefused(`\`nodes[${place}].id\` must be unique. The value is ${shortly(node.id)}.`);
    if (node.parentId !== null && !ids.has(node.parentId)) {
      throw new ImportRefused(
        `\`nodes[${place}].parentId\` must be the id of an earlier message. The value is ${shortly(node.parentId)}.`,
      );
    }
    ids.add(node.id);
    applyEntry(state, { e: "node", t: updatedAtMs, node: withoutChanges(node) });
  });
  if (leafId !== null && !ids.has(leafId)) {
    throw new ImportRefused(`\`leafId\` must be the id of a message. The value is ${shortly(leafId)}.`);
  }
  applyEntry(state, { e: "leaf", id: leafId });
  applyEntry(state, { e: "meta", meta: { ...withoutTools(meta), title, importedAtMs: now } });
  return state;
}

/**
 * Removes tools, the mode and the limits of a task: the author of the file must not decide on them.
 * The user who continues the conversation sets them again.
 */
function withoutTools({ settings, ...meta }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!isMembers(settings)) return settings === undefined ? meta : { ...meta, settings };
  const { tools: _, mode: __, task: ___, ...rest } = settings;
  return { ...meta, settings: rest };
}

/** Questions and answers. Messages of tool calls are stored with their answer and exported unchanged. */
function fromMessages({ messages, model = "" }: z.output<typeof Messages>, now: number): LogState {
  const state = emptyLogState(randomUUID(), now);
  let parentId: string | null = null;
  const add = (node: Omit<LogNode, "id" | "parentId">) => {
    const id = randomUUID();
    applyEntry(state, { e: "node", t: now, node: { ...node, id, parentId } as LogNode });
    parentId = id;
  };
  for (const turn of turnsOf(messages)) {
    const [first] = turn;
    if (first?.role === "user") add({ role: "user", text: contentText(first.content), imported: turn });
    else add({ ...answerFields(turn), model, startedAtMs: now, imported: turn });
  }
  const system = messages.filter(isSystem).map(({ content }) => contentText(content));
  const settings = system.length > 0 ? { settings: { system: system.join("\n\n") } } : {};
  applyEntry(state, { e: "leaf", id: parentId });
  applyEntry(state, { e: "meta", meta: { ...settings, importedAtMs: now } });
  return state;
}

function isSystem(message: ChatMessage): message is Extract<ChatMessage, { role: "system" | "developer" }> {
  return message.role === "system" || message.role === "developer";
}

/** Splits the messages into questions, and the groups between two questions. */
function turnsOf(messages: readonly ChatMessage[]): ChatMessage[][] {
  const turns: ChatMessage[][] = [];
  for (const message of messages.filter((one) => !isSystem(one))) {
    const last = turns.at(-1);
    if (message.role === "user" || !last || last[0]?.role === "user") turns.push([message]);
    else last.push(message);
  }
  return turns;
}

function answerFields(turn: readonly ChatMessage[]) {
  const answers = turn.filter((message) => message.role === "assistant");
  const text = answers.map(({ content }) => contentText(content ?? "")).filter(Boolean);
  const reasoning = answers.map(({ reasoning_content }) => reasoning_content ?? "").filter(Boolean);
  return {
    role: "assistant",
    text: text.join("\n\n"),
    reasoning: reasoning.join("\n\n"),
    state: "done",
    timing: {},
  };
}

function contentText(content: Extract<ChatMessage, { role: "user" }>["content"]): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
}
