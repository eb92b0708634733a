/** The panels of the composer. One is open at a time. */
export type PanelName =
  | "settings"
  | "tools"
  | "money"
  | "files"
  | "plan"
  | "commands"
  | "sources"
  | "context";
