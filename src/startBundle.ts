// What every window loads in the turn after its activation, as one bundle; see `afterActivation`. No two of these modules
// may export the same name.

export * from "./account/host/tree/spendBar.ts";
export * from "./editor/codeActions.ts";
export * from "./platform/editor/commands/formerNames.ts";
export * from "./platform/editor/tour.ts";
export * from "./platform/files/durable/temporaryFiles.ts";
export * from "./platform/files/privateFiles.ts";
export * from "./requests/host/log/segments.ts";
export * from "./web/scrape/linkActions.ts";
