import * as vscode from "vscode";
import { systemRole, thinkingText } from "./untypedApi.ts";

export interface TextContent {
  readonly kind: "text";
  readonly text: string;
}
export interface ImageContent {
  readonly kind: "image";
  readonly mimeType: string;
  readonly data: Uint8Array;
}
/** A part of a message of the editor. */
export type MessagePart =
  | TextContent
  | ImageContent
  | { readonly kind: "thinking"; readonly text: string }
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: unknown }
  | {
      readonly kind: "result";
      readonly id: string;
      readonly parts: readonly (TextContent | ImageContent)[];
    };

export interface ChatTurn {
  readonly role: "system" | "user" | "assistant";
  readonly parts: readonly MessagePart[];
}

/** The messages of the editor as plain values. Parts that a request can't hold are skipped. */
export function readMessages(messages: readonly vscode.LanguageModelChatRequestMessage[]): ChatTurn[] {
  return messages.map(({ role, content }) => ({ role: roleOf(role), parts: content.flatMap(readPart) }));
}

function roleOf(role: number): ChatTurn["role"] {
  if (role === systemRole) return "system";
  return role === vscode.LanguageModelChatMessageRole.Assistant ? "assistant" : "user";
}

function readPart(part: unknown): MessagePart[] {
  const thinking = thinkingText(part);
  if (thinking !== undefined) return [{ kind: "thinking", text: thinking }];
  if (part instanceof vscode.LanguageModelToolCallPart)
    return [{ kind: "call", id: part.callId, name: part.name, input: part.input }];
  // A class of the editor's own calls extends this one.
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ kind: "result", id: part.callId, parts: part.content.flatMap(readContent) }];
  return readContent(part);
}

function readContent(part: unknown): (TextContent | ImageContent)[] {
  if (part instanceof vscode.LanguageModelTextPart) return textContent(part.value);
  if (part instanceof vscode.LanguageModelDataPart) return readData(part);
  // The tree of another extension's prompt library. Its JSON contains the text.
  if (part instanceof vscode.LanguageModelPromptTsxPart) return textContent(JSON.stringify(part.value) ?? "");
  return [];
}

function readData({ mimeType, data }: vscode.LanguageModelDataPart): (TextContent | ImageContent)[] {
  if (mimeType.startsWith("image/")) return [{ kind: "image", mimeType, data }];
  const isText = mimeType.startsWith("text/") || /[/+]json$/.test(mimeType);
  return isText ? textContent(new TextDecoder().decode(data)) : [];
}

function textContent(text: string): TextContent[] {
  return text === "" ? [] : [{ kind: "text", text }];
}
