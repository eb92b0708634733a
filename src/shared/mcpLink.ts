import * as z from "zod";
import { parseJson } from "./text/json/parseJson.ts";

// Messages between the MCP server process and a window: JSON, one message a line, over a local socket. The process
// sends `hello` first, and the window answers `welcome`, or `refused` and closes the socket.

const callId = z.number().int().nonnegative();

/** A text of a client that names itself. It is shown and stored, so it is cut. */
export const clientNameLength = 60;

const hello = z.object({
  t: z.literal("hello"),
  token: z.string(),
  client: z.object({ name: z.string(), version: z.string() }),
});

const toWindow = z.union([
  hello,
  z.object({ t: z.literal("call"), id: callId, name: z.string(), input: z.unknown() }),
  z.object({ t: z.literal("cancel"), id: callId }),
]);

const linkTool = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: z.record(z.string(), z.unknown()),
  isReadOnly: z.boolean(),
});

const linkContent = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.enum(["image", "audio"]), data: z.string(), mimeType: z.string() }),
]);

const linkResult = z.object({ content: z.array(linkContent), isError: z.boolean() });

const toServer = z.union([
  z.object({ t: z.literal("welcome"), tools: z.array(linkTool) }),
  z.object({ t: z.literal("refused"), sentence: z.string() }),
  // `isSending`: what follows may be billed. Before it, a call that is lost has cost nothing.
  z.object({ t: z.literal("state"), id: callId, text: z.string(), isSending: z.boolean().optional() }),
  linkResult.extend({ t: z.literal("result"), id: callId }),
]);

/** The content of `windows/<name>.json`, which a window writes for the server processes. Only the user can read it. */
const openedWindow = z.object({
  /** Path of the socket, or name of the pipe. */
  socket: z.string(),
  /** Valid as long as the window has this file. */
  token: z.string(),
  pid: z.number().int().positive(),
  /** Absolute paths of the workspace folders. */
  folders: z.array(z.string()),
  /** Milliseconds since 1970. */
  focusedAtMs: z.number(),
});

const linkTools = z.array(linkTool);

export type ToWindow = z.infer<typeof toWindow>;
export type ToServer = z.infer<typeof toServer>;
export type LinkTool = z.infer<typeof linkTool>;
export type LinkContent = z.infer<typeof linkContent>;
export type LinkResult = z.infer<typeof linkResult>;
export type OpenedWindow = z.infer<typeof openedWindow>;

/** Undefined for a line that is no message. */
export const readToWindow = (line: string) => parsed(toWindow, line);
export const readToServer = (line: string) => parsed(toServer, line);
export const readOpenedWindow = (text: string) => parsed(openedWindow, text);
export const readLinkTools = (text: string) => parsed(linkTools, text);

function parsed<T>(schema: z.ZodType<T>, text: string): T | undefined {
  return schema.safeParse(parseJson(text)).data;
}

/** UTF-16 code units of a line to the window: the largest MCP message, whose characters JSON may escape. */
export const maxLineToWindow = 24_000_000;
/** UTF-16 code units of a line to the server process. */
export const maxLineToServer = 48_000_000;

export function toLine(message: ToWindow | ToServer): string {
  return `${JSON.stringify(message)}\n`;
}

/** Names inside the folder that windows and server processes share. */
export const linkFolder = {
  /** One file for each open window. */
  windows: "windows",
  /** The tools, for a server process that finds no window. */
  tools: "tools.json",
  /** Starts the server process of the installed version; clients outside of the editor run it. */
  launcher: "server.cjs",
} as const;

/** Environment variables of the server process. Neither is a secret. */
export const linkEnvironment = {
  /** Absolute path of the shared folder. */
  folder: "INFERENCE_MCP_FOLDER",
  /** The window that started the process: the name of its file, without `.json`. */
  window: "INFERENCE_MCP_WINDOW",
} as const;
