export type Fact = readonly [name: string, value: string];

/**
 * The hover text of a row. A screen reader reads it with the row, because a hover needs a mouse. All texts are plain:
 * what a service says is escaped where it becomes markdown.
 */
export interface RowTooltip {
  readonly title?: string;
  readonly facts?: readonly Fact[];
  readonly notes?: readonly string[];
  /** True if the rows below say the same: a screen reader reads it there. */
  readonly isBelow?: boolean;
}

/** A row of an account view as data, without VS Code types. */
export interface AccountNode {
  /** Stable, so that an expanded row stays expanded after a refresh. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly tooltip?: RowTooltip;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly tint?: "warning" | "error" | "quiet" | "good";
  /** For menus: `key`, `model` … */
  readonly kind?: string;
  /** Text for "Copy ID". */
  readonly copyText?: string;
  /** The API key of the row. */
  readonly keyId?: string;
  /** The API keys of a group. */
  readonly keyIds?: readonly string[];
  /** The last days whose bill a click reads. */
  readonly days?: number;
  /** The command of a click. */
  readonly command?: string;
  readonly isOpen?: boolean;
  /** Called when the row is expanded. */
  readonly children?: () => Promise<readonly AccountNode[]>;
}

/** The hover text as markdown: the title, a table of the facts, and a paragraph for each note. */
export function tooltipMarkdown({ title, facts = [], notes = [] }: RowTooltip): string {
  const rows = facts.map(([name, value]) => `| ${escaped(name)} | ${escaped(value)} |`);
  return [
    ...(title === undefined ? [] : [`**${escaped(title)}**`]),
    ...(rows.length === 0 ? [] : [["| | |", "|:--|:--|", ...rows].join("\n")]),
    ...notes.map(escaped),
  ].join("\n\n");
}

/** The text that a screen reader reads for a row: its label, its description, and the facts that only its hover text has. */
export function spokenText({ label, description = "", tooltip }: AccountNode): string {
  const { facts = [], notes = [] } = tooltip === undefined || tooltip.isBelow ? {} : tooltip;
  const said = new Set([label, ...description.split(/ · |, |^– /)]);
  const hidden = facts.filter(([, value]) => !said.has(value)).map(([name, value]) => `${name} ${value}`);
  return [label, description, ...hidden, ...notes.filter((note) => !description.includes(note))]
    .filter(Boolean)
    .join(", ");
}

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|~&$]/g, "\\$&").replace(/\s+/g, " ");
}

/** `▰▰▰▱▱▱▱▱ 38 %`; a share above one fills the bar. */
export function shareBar(share: number): string {
  const length = 8;
  const clipped = Math.min(1, Math.max(0, share));
  const full = clipped === 0 ? 0 : Math.max(1, Math.floor(clipped * length));
  return `${"▰".repeat(full)}${"▱".repeat(length - full)} ${Math.floor(Math.max(0, share) * 100)} %`;
}
