/**
 * The allowed imports of each folder of src/. A pattern ends in `/` for a whole folder, else it names one file;
 * `features/*` is the feature's own folder. Packages are named without the path inside them; `node:` is all of Node.
 */
export interface Layer {
  readonly folder: string;
  /** Files whose values and types it may import. */
  readonly files: readonly string[];
  /** Files of which it may import types only. */
  readonly types?: readonly string[];
  /** External modules; `*` is every package without a home file, but not `vscode` or `node:`. */
  readonly modules: readonly string[];
}

const markdownEntries = [
  // Renders an answer.
  "markdownStream.ts",
  // Finds the target of a click or the pointer.
  "code.ts",
  "links.ts",
  "references.ts",
  // Engines, each in its own chunk.
  "diagramEngine.ts",
  "grammars.ts",
  "mathEngine.ts",
  "code.css",
  "codeColours.css",
  "markdown.css",
  "math.css",
  "sources.css",
];

/** Folders with private files: code outside a folder imports only these entry files of it. */
export const entryFiles: Readonly<Record<string, readonly string[]>> = {
  "src/webview/markdown/": markdownEntries,
  // A feature: its registration, and what `src/lazyBundle.ts` loads on first use.
  "src/features/account/": ["register.ts"],
  "src/features/augment/": ["register.ts"],
  "src/features/chat/": ["register.ts", "chatFeature.ts"],
  "src/features/completions/": ["register.ts", "completionsFeature.ts"],
  "src/features/connection/": ["register.ts", "localModel.ts", "manage.ts", "showDiagnosis.ts", "signIn.ts"],
  "src/features/editor/": ["register.ts", "editorFeature.ts"],
  "src/features/images/": ["register.ts", "imageSchemas.ts"],
  "src/features/mcp/": ["register.ts", "mcpFeature.ts"],
  "src/features/modelTools/": ["register.ts", "modelTools.ts"],
  "src/features/review/": ["register.ts", "reviewFeature.ts"],
  // `headless/command.ts` is the command that runs without an editor.
  "src/features/rpc/": ["register.ts", "headless/command.ts"],
  "src/features/speech/": ["register.ts"],
  "src/session/tools/": [
    // One tool, and the table of all.
    "serviceTool.ts",
    "serviceTools.ts",
    "chainTool.ts",
    // A call: its input, the consent, and its errors.
    "checkToolInput.ts",
    "toolConsent.ts",
    "toolErrorText.ts",
    "editorFiles.ts",
    "editorText.ts",
    // Shared with the tools of the chat.
    "serviceActions.ts",
    "workspaceFiles.ts",
    "schemaErrors.ts",
  ],
  "src/sandbox/": ["main.ts"],
  "src/features/chat/answer/": ["answers.ts"],
  "src/features/rpc/evm/": ["evm.ts"],
  "src/features/rpc/headless/": ["command.ts"],
  "src/features/rpc/simulate/": ["simulate.ts"],
  "src/features/rpc/fork/": ["forks.ts"],
  "src/features/rpc/providers/": ["language.ts", "abiActions.ts"],
  "src/shared/rpc/catalog/": ["catalog.ts"],
  "src/features/chat/attachments/": [
    // The attachments of the draft.
    "attachmentDraft.ts",
    // Their contents, on disk and in a request.
    "attachedParts.ts",
    // What helps after a refused document.
    "documentHelp.ts",
    // Their sources: the interface, and its implementation in the editor.
    "sources.ts",
    "editorSources.ts",
    "currentFile.ts",
  ],
  "src/features/chat/code/": [
    // Actions for a code block of an answer, and the pending edits.
    "codeActions.ts",
    "proposals.ts",
  ],
  "src/features/chat/history/": [
    // The open conversation, and the list of all conversations.
    "conversationStore.ts",
    "chatHistory.ts",
    // Their content: lines of the log, the state after them, and its messages.
    "logEntry.ts",
    "logState.ts",
    "conversation.ts",
  ],
  "src/features/chat/tools/": [
    "tool.ts",
    // The tools of a window and of a conversation, and the tool calls of answers.
    "editorTools.ts",
    "toolList.ts",
    "toolRounds.ts",
    // What the model is told of a call that ended early.
    "earlyEnd.ts",
    // Starts the programs of tools and of the agent.
    "program.ts",
  ],
};

export const layers: readonly Layer[] = [
  { folder: "src/shared/", files: ["src/shared/"], modules: ["zod"] },
  { folder: "src/api/", files: ["src/api/", "src/shared/"], modules: ["zod", "node:", "image-dimensions"] },
  {
    folder: "src/sandbox/",
    files: [
      "src/sandbox/",
      "src/platform/process/anvil.ts",
      "src/shared/",
      "src/api/table.ts",
      "src/api/endpoint.ts",
      "src/api/endpoints/",
      "src/api/dialect/dialect.ts",
      "src/api/transport/undici.ts",
    ],
    modules: ["zod", "node:", "*"],
  },
  // The sandbox starts anvil, too, so this file has no vscode.
  { folder: "src/platform/process/anvil.ts", files: [], modules: ["node:"] },
  {
    folder: "src/platform/",
    files: ["src/platform/", "src/shared/", "src/api/errors/errors.ts"],
    types: ["src/api/"],
    modules: ["vscode", "node:"],
  },
  {
    folder: "src/session/tools/",
    files: ["src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: ["vscode", "node:", "@cfworker/json-schema"],
  },
  {
    folder: "src/session/changes/",
    files: ["src/session/", "src/platform/", "src/shared/"],
    modules: ["vscode", "node:"],
  },
  {
    folder: "src/session/",
    files: ["src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: ["vscode"],
  },
  // The notebook's language, file and plans don't depend on the editor.
  ...["language", "file", "plan"].map((part) => ({
    folder: `src/features/rpc/${part}/`,
    files: ["src/features/rpc/language/", `src/features/rpc/${part}/`, "src/shared/", "src/api/money/"],
    modules: ["jsonc-parser"],
  })),
  // Simulations of transactions are values; decoding and sending are passed in.
  {
    folder: "src/features/rpc/simulate/",
    files: ["src/features/rpc/simulate/", "src/shared/"],
    modules: [],
  },
  // A network is copied without the editor and the session: what reads it is passed in.
  {
    folder: "src/features/rpc/fork/",
    files: [
      "src/features/rpc/fork/",
      "src/features/rpc/simulate/",
      "src/rpc/run/senders.ts",
      "src/platform/",
      "src/api/transport/host.ts",
      "src/shared/",
    ],
    modules: ["node:"],
  },
  // The command runs without an editor.
  {
    folder: "src/features/rpc/headless/",
    files: ["src/features/rpc/", "src/session/connection/baseUrl.ts", "src/platform/", "src/api/", "src/shared/"],
    modules: ["node:"],
  },
  {
    folder: "src/features/rpc/",
    files: ["src/features/rpc/", "src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: ["vscode", "zod", "node:", "viem", "jsonc-parser"],
  },
  {
    folder: "src/features/chat/",
    files: ["src/features/chat/", "src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: ["vscode", "zod", "node:"],
  },
  {
    folder: "src/features/speech/",
    files: ["src/features/speech/", "src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: [
      "vscode",
      "zod",
      "node:",
      "mdast-util-from-markdown",
      "mdast-util-frontmatter",
      "mdast-util-gfm",
      "micromark-extension-frontmatter",
      "micromark-extension-gfm",
    ],
  },
  // The process of the MCP server.
  { folder: "src/mcp/", files: ["src/mcp/", "src/shared/"], modules: ["node:", "@modelcontextprotocol/sdk"] },
  {
    folder: "src/features/*/",
    files: ["src/features/*/", "src/session/", "src/platform/", "src/api/", "src/shared/"],
    modules: ["vscode", "zod", "node:"],
  },
  // Pages import shared code, but no other page.
  ...["ui", "markdown"].map((part) => ({
    folder: `src/webview/${part}/`,
    files: [`src/webview/${part}/`, "src/shared/"],
    modules: ["*"],
  })),
  {
    folder: "src/webview/*/",
    files: ["src/webview/*/", "src/webview/ui/", "src/webview/markdown/", "src/shared/"],
    modules: ["*"],
  },
  { folder: "src/webview/css.d.ts", files: [], modules: [] },
  { folder: "src/renderer/", files: ["src/renderer/", "src/shared/"], modules: ["*"] },
  { folder: "src/lazyBundle.ts", files: ["src/features/", "src/session/"], modules: [] },
  {
    folder: "src/rpcRun.ts",
    files: ["src/rpc/cli/command.ts", "src/sandbox/main.ts"],
    modules: [],
  },
  { folder: "src/extension.ts", files: ["src/"], modules: ["vscode"] },
];

/** Packages that only one file may import, so that they can be replaced in one place. */
export const homes: Readonly<Record<string, string>> = {
  undici: "src/api/transport/undici.ts",
  "eventsource-parser": "src/api/stream/sse.ts",
};
