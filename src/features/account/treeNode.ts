/** One row of an account view, as data: what draws it knows the editor, what makes it does not. */
export interface AccountNode {
  /** The same at each redraw, so that what is open stays open. */
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  /** Markdown. Values from the service go through `plain`. */
  readonly tooltip?: string;
  /** Name of a codicon. */
  readonly icon?: string;
  readonly tint?: "warning" | "error" | "quiet" | "good";
  /** For menus: `key`, `model` … */
  readonly kind?: string;
  /** What "Copy ID" copies. */
  readonly copyText?: string;
  /** The API key that the row stands for. */
  readonly keyId?: string;
  /** A command that a click runs. */
  readonly command?: string;
  readonly isOpen?: boolean;
  /** Asked for when the row is opened. */
  readonly children?: () => Promise<readonly AccountNode[]>;
}

/** A value from the service inside markdown, as the plain text that it is. */
export function plain(text: string): string {
  return text.replace(/[\\`*_{}[\]()<>#+\-.!|~&$]/g, "\\$&").replace(/\s+/g, " ");
}

/** Rows of a markdown table with two columns; the values are markdown. */
export function factTable(rows: readonly (readonly [name: string, value: string])[]): string {
  return ["| | |", "|:--|:--|", ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join("\n");
}

/** `▰▰▰▱▱▱▱▱ 38 %`; a share above one fills the bar. */
export function shareBar(share: number): string {
  const length = 8;
  const clipped = Math.min(1, Math.max(0, share));
  const full = clipped === 0 ? 0 : Math.max(1, Math.floor(clipped * length));
  return `${"▰".repeat(full)}${"▱".repeat(length - full)} ${Math.floor(Math.max(0, share) * 100)} %`;
}
