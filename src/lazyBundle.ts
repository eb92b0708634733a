// Everything that is loaded on first use, as one bundle: activation pays for extension.ts alone (43 ms a megabyte).
// The build sends each dynamic import of one of these modules here, and fails on one that is missing. No two of them
// may export the same name.

export * from "./changes/engine/editorChanges.ts";
export * from "./changes/review/reviewFeature.ts";
export * from "./completions/completionsFeature.ts";
export * from "./connection/connectionFeature.ts";
export * from "./connection/localModel.ts";
export * from "./editor/editorFeature.ts";
export * from "./gateway/host/gatewayFeature.ts";
export * from "./images/host/imageSchemas.ts";
export * from "./languageModels/languageModels.ts";
export * from "./requests/host/requestsFeature.ts";
export * from "./session/completionCounts.ts";
export * from "./session/connection/sandboxKeys.ts";
export * from "./session/consent/lastingConsents.ts";
export * from "./session/sandbox/sandboxJournal.ts";
export * from "./session/sessionClients.ts";
export * from "./tools/mcp/server/window/mcpFeature.ts";
export * from "./tools/native/modelTools.ts";
