/** The command that starts the server process. */
export interface ServerCommand {
  /** Absolute path of the editor's program, which runs as Node. */
  readonly command: string;
  /** Absolute path of the launcher. */
  readonly script: string;
}

export interface ClientConfiguration {
  readonly label: string;
  /** Where the text goes. */
  readonly detail: string;
  text(server: ServerCommand, isWindows: boolean): string;
}

const name = "inference-workbench";
const env = { ELECTRON_RUN_AS_NODE: "1" };
/** Seconds that a client waits for a call: the user may be asked meanwhile, and pictures take time. */
const timeoutSeconds = 600;

export const clientConfigurations: readonly ClientConfiguration[] = [
  {
    label: "Claude Code",
    detail: "A command for the terminal, in the folder of the project",
    text: ({ command, script }, isWindows) =>
      `claude mcp add ${name} --env ELECTRON_RUN_AS_NODE=1 -- ${[command, script].map((one) => quoted(one, isWindows)).join(" ")}`,
  },
  {
    label: "Codex",
    detail: "TOML for ~/.codex/config.toml",
    // Basic strings of TOML are those of JSON.
    text: ({ command, script }) =>
      [
        `[mcp_servers.${name}]`,
        `command = ${JSON.stringify(command)}`,
        `args = [${JSON.stringify(script)}]`,
        `env = { ELECTRON_RUN_AS_NODE = "1" }`,
        `tool_timeout_sec = ${timeoutSeconds}`,
        "",
      ].join("\n"),
  },
  {
    label: "Cline",
    detail: "JSON for cline_mcp_settings.json: MCP Servers > Configure",
    text: (server) => json({ mcpServers: { [name]: { ...entry(server), timeout: timeoutSeconds } } }),
  },
  {
    label: "VS Code",
    detail: "JSON for mcp.json of another profile or folder; this window has the server already",
    text: (server) => json({ servers: { [name]: { type: "stdio", ...entry(server) } } }),
  },
  {
    label: "Other",
    detail: "JSON with mcpServers, which most clients read",
    text: (server) => json({ mcpServers: { [name]: entry(server) } }),
  },
];

function entry({ command, script }: ServerCommand) {
  return { command, args: [script], env };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** A word of a shell; on Windows, of cmd and PowerShell, whose paths contain no quotes. */
function quoted(word: string, isWindows: boolean): string {
  return isWindows ? `"${word}"` : `'${word.replaceAll("'", "'\\''")}'`;
}
