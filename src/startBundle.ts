// What every window loads in the turn after its activation, as one bundle; see `afterActivation`. No two of these modules
// may export the same name.

export * from "./account/host/tree/accountTrees.ts";
export * from "./account/host/tree/spendBar.ts";
export * from "./connection/connectionStatus.ts";
export * from "./editor/codeActions.ts";
export * from "./requests/host/oldRequests.ts";
export * from "./session/startTasks.ts";
export * from "./web/scrape/linkActions.ts";
