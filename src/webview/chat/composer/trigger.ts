/** What is being typed that a completion helps with. */
export interface Trigger {
  /** `@` finds files and all else; `#` what is at hand; `/` begins a command. */
  readonly sign: "@" | "#" | "/";
  readonly query: string;
  /** Where the sign stands. */
  readonly from: number;
  readonly to: number;
}

/** What the text before the cursor asks to complete; commands stand alone at the beginning of a question. */
export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command) return { sign: "/", query: command[1] ?? "", from: 0, to: cursor };
  const mention = /(?:^|[\s([{"'`])([@#])([^\s@#]{0,200})$/.exec(before);
  if (!mention) return undefined;
  const query = mention[2] ?? "";
  return { sign: mention[1] as "@" | "#", query, from: cursor - query.length - 1, to: cursor };
}

/** The text with something in the place of what was typed, and where the cursor stands then. */
export function completeTrigger(
  text: string,
  { from, to }: Trigger,
  inserted: string,
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(to);
  const space = inserted === "" || /^\s/.test(after) ? "" : " ";
  return { text: text.slice(0, from) + inserted + space + after, cursor: from + inserted.length + 1 };
}
