/** Enter with Ctrl or Cmd, and no other modifier. */
export function isCommandEnter(event: KeyboardEvent): boolean {
  return event.key === "Enter" && isCommand(event);
}

/** True if Ctrl or Cmd is the only pressed modifier. */
export function isCommand({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Names of the shortcuts on this platform. */
export function commandEnter(): string {
  return navigator.userAgent.includes("Mac") ? "⌘Enter" : "Ctrl+Enter";
}

export function altEnter(): string {
  return navigator.userAgent.includes("Mac") ? "⌥Enter" : "Alt+Enter";
}
