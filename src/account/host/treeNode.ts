/** A row of an account view as data, without VS Code types. */
export interface AccountNode {
  /** Stable, so that an expanded row stays expanded after a refresh. */
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
  /** Text for "Copy ID". */
  readonly copyText?: string;
  /** The API key of the row. */
  readonly keyId?: string;
  /** The command of a click. */
  readonly command?: string;
  readonly isOpen?: boolean;
  /** Called when the row is expanded. */
  readonly children?: () => Promise<readonly AccountNode[]>;
}

/** Escapes a value of the service for markdown. */
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
