import type { ChatMessage, ContentPart } from "../../../../api/endpoints/chat/chatRequest.ts";
import type { LogNode } from "../log/logEntry.ts";
import { type LogState, shownPath } from "../log/logState.ts";
import { searchedText, titleOf } from "../summary.ts";

/** Format identifier of exported JSON, and its version. */
export const exportFormat = "inference-workbench.conversation";
export const exportVersion = 1;

/** The names of the blobs that a conversation refers to: the contents of its attachments. */
export function blobNamesIn({ nodes, meta }: LogState): string[] {
  return [...new Set(JSON.stringify([[...nodes.values()].map(withoutChanges), meta]).match(blobName))];
}

/**
 * Files that a task changed belong to one workspace: their contents are not shared, and can't be rewound elsewhere. A
 * summary is left out, because the messages that it stands for are there, and a reader could not tell it from them.
 */
export function withoutChanges({ changes: _, summary: __, ...node }: LogNode): LogNode {
  return node as LogNode;
}

/** Matches the name of a blob in any text. */
export const blobName = /(?<![0-9a-f])[0-9a-f]{64}\.[a-z0-9]{1,8}(?![a-z0-9])/g;

/** The conversation with all branches, and `blobs` by name: the input of `fromExport`. */
export function toExport(state: LogState, blobs: ReadonlyMap<string, Uint8Array> = new Map()): string {
  const { createdAtMs, updatedAtMs, nodes, leafId, meta } = state;
  const whole = {
    format: exportFormat,
    version: exportVersion,
    title: titleOf(state),
    createdAtMs,
    updatedAtMs,
    meta,
    leafId,
    nodes: [...nodes.values()].map(withoutChanges),
    blobs: Object.fromEntries(
      [...blobs].map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]),
    ),
  };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** The shown path as a Markdown page. */
export function conversationMarkdown(state: LogState): string {
  const date = new Date(state.createdAtMs).toISOString().slice(0, 10);
  const parts = [`# ${titleOf(state)}`, `*${date}*`];
  for (const node of shownPath(state)) {
    parts.push(`## ${node.role === "user" ? "You" : searchedText(node, "model") || "Assistant"}`);
    const text = searchedText(node, "text").trim();
    if (text !== "") parts.push(text);
    parts.push(...attachedTo(node));
    parts.push(...sourcesOf(node));
  }
  return `${parts.join("\n\n")}\n`;
}

function attachedTo({ attachments }: LogNode): string[] {
  if (!Array.isArray(attachments) || attachments.length === 0) return [];
  const names = attachments.map(({ name, detail }: Readonly<Record<string, unknown>>) => {
    const what = typeof detail === "string" && detail !== "" ? ` (${detail})` : "";
    return `- ${String(name).replace(/[\\`*_[\]<>]/g, "\\$&")}${what}`;
  });
  return [`Attached:\n\n${names.join("\n")}`];
}

function sourcesOf({ sources }: LogNode): string[] {
  if (!Array.isArray(sources) || sources.length === 0) return [];
  const lines = sources.map((source: Readonly<Record<string, unknown>>, place) => {
    const title = typeof source.title === "string" ? source.title : String(source.url);
    return `${place + 1}. [${title.replace(/[[\]]/g, "\\$&")}](<${String(source.url)}>)`;
  });
  return [`Sources:\n\n${lines.join("\n")}`];
}

/**
 * The shown path as request messages; imported messages are exported unchanged. `parts` are the attachments of a
 * question, by message id.
 */
export function toMessages(
  state: LogState,
  parts: ReadonlyMap<string, readonly ContentPart[]> = new Map(),
): ChatMessage[] {
  const { settings } = state.meta as { readonly settings?: { readonly system?: unknown } };
  const system = typeof settings?.system === "string" ? settings.system : "";
  const messages = shownPath(state).flatMap((node): ChatMessage[] => {
    if (Array.isArray(node.imported)) return node.imported;
    const content = searchedText(node, "text");
    const attached = parts.get(node.id) ?? [];
    if (node.role === "user" && attached.length > 0)
      return [{ role: "user", content: [...attached, { type: "text", text: content }] }];
    if (node.role === "user") return [{ role: "user", content }];
    return content === "" ? [] : [{ role: "assistant", content }];
  });
  return system === "" ? messages : [{ role: "system", content: system }, ...messages];
}

/** A file name for an export, without characters that file systems refuse. */
export function exportFileName(state: LogState, extension: string): string {
  const name = titleOf(state)
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return `${name || "chat"}.${extension}`;
}
