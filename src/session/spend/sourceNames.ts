import type { SpendKind } from "../../api/money/charge.ts";

/** What made a call, as lists name it. */
export const sourceNames: Readonly<Record<SpendKind, string>> = {
  chat: "Chat",
  notebook: "RPC notebook",
  studio: "Image studio",
  editor: "Editor actions",
  web: "Web and documents",
  speech: "Speech",
  account: "Account",
  connection: "Connection check",
  nativeChat: "VS Code chat",
  tool: "Tool of an agent",
  mcp: "MCP client",
  completion: "Inline completions",
  replay: "Request sent again",
};
