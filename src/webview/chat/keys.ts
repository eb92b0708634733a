/** Enter with Ctrl or Cmd, and no other key. */
export function isCommandEnter(event: KeyboardEvent): boolean {
  return event.key === "Enter" && isCommand(event);
}

/** The Ctrl or Cmd key alone is held. */
export function isCommand({ ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** The key as it is written on this machine. */
export function commandEnter(): string {
  return navigator.userAgent.includes("Mac") ? "⌘Enter" : "Ctrl+Enter";
}
