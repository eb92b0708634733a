import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import * as z from "zod";
import { sha256 } from "../../../../platform/sha256.ts";
import { membersOf } from "../../../../shared/members.ts";
import { hidesSomething } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";

const Texts = z.record(z.string(), z.string());
const Program = z.object({
  type: z.literal("stdio").exactOptional(),
  command: z.string().min(1),
  args: z.array(z.string()).max(256).exactOptional(),
  /** Null removes a variable of the window's environment. */
  env: z.record(z.string(), z.union([z.string(), z.number(), z.null()])).exactOptional(),
  envFile: z.string().min(1).exactOptional(),
  cwd: z.string().min(1).exactOptional(),
});
/** `http` tries the older transport, too, if the server does not know the current one. */
const Remote = z.object({
  type: z.enum(["http", "sse"]).exactOptional(),
  url: z.string().min(1),
  headers: Texts.exactOptional(),
});
const Input = z.object({
  id: z.string().min(1),
  /** `command` names a command of the editor, which is not run for servers. */
  type: z.enum(["promptString", "pickString", "command"]),
  description: z.string().exactOptional(),
  default: z.string().exactOptional(),
  password: z.boolean().exactOptional(),
  options: z
    .array(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]))
    .exactOptional(),
});

/** How a server is reached: its program, or its URL. Texts can contain variables, such as `${workspaceFolder}`. */
export type ServerStart = z.infer<typeof Program> | z.infer<typeof Remote>;
/** A value that the user is asked for, which texts name as `${input:ID}`. */
export type ServerInput = z.infer<typeof Input>;

/** A file with servers. */
export interface McpFile {
  /** What the user calls it. */
  readonly label: string;
  /** Its absolute path. */
  readonly path: string;
  /** The workspace folder that contains it; absent for a file of the user. */
  readonly folder?: string;
}

/** A server of a file, as it is written there. */
export interface ServerDefinition {
  /** Changes with everything that the file says about it and its inputs. */
  readonly id: string;
  readonly name: string;
  readonly file: McpFile;
  readonly start: ServerStart;
  /** The inputs of its file. */
  readonly inputs: readonly ServerInput[];
}

export interface ReadServers {
  readonly servers: readonly ServerDefinition[];
  /** Why something of the file is not used, as sentences. */
  readonly problems: readonly string[];
}

const maxServers = 64;
const maxNameLength = 64;

/** The servers of a file in VS Code's format (`mcp.json`). What can't be used is left out, with its reason. */
export function readMcpFile(text: string, file: McpFile): ReadServers {
  const value = parsed(text);
  if (typeof value === "string") return { servers: [], problems: [`${file.label} is not JSON: ${value}.`] };
  const { servers, inputs, mcpServers } = membersOf(value);
  const problems: string[] = [];
  // Other programs call them so, and so do most servers where they describe their entry.
  if (servers === undefined && mcpServers !== undefined)
    problems.push(
      `${file.label} has mcpServers, which is not read: rename it to servers, as the editor reads it.`,
    );
  const known = (Array.isArray(inputs) ? inputs : []).flatMap((one) => {
    const input = Input.safeParse(one);
    return input.success ? [input.data] : [];
  });
  const entries = Object.entries(membersOf(servers));
  if (entries.length > maxServers)
    problems.push(`${file.label} has more than ${maxServers} servers: the others are not offered.`);
  const read = entries.slice(0, maxServers).flatMap(([name, written]) => {
    const start = toStart(written);
    const fault = nameFault(name) ?? (typeof start === "string" ? start : undefined);
    if (fault === undefined && typeof start !== "string") return [toDefinition(name, start, file, known)];
    problems.push(`The server ${shortened(name, maxNameLength)} of ${file.label} is not offered: ${fault}.`);
    return [];
  });
  return { servers: read, problems };
}

function toDefinition(
  name: string,
  start: ServerStart,
  file: McpFile,
  known: readonly ServerInput[],
): ServerDefinition {
  const written = JSON.stringify(start);
  const inputs = known.filter(({ id }) => written.includes(`\${input:${id}}`));
  return { id: sha256(JSON.stringify([file.path, name, start, inputs])), name, file, start, inputs };
}

/** The value, or why there is none. */
function parsed(text: string): unknown {
  const errors: ParseError[] = [];
  try {
    const value: unknown = parse(text, errors, { allowTrailingComma: true });
    const [error] = errors;
    return error ? `${printParseErrorCode(error.error)} at character ${error.offset + 1}` : value;
  } catch {
    // The parser is recursive.
    return "it is nested too deeply";
  }
}

function nameFault(name: string): string | undefined {
  if (name.trim() === "" || name.length > maxNameLength)
    return `its name must have 1 to ${maxNameLength} characters`;
  return hidesSomething(name) ? "its name contains hidden characters" : undefined;
}

/** How the server starts, or why it can't. */
function toStart(written: unknown): ServerStart | string {
  const read = "url" in membersOf(written) ? Remote.safeParse(written) : Program.safeParse(written);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return `${issue?.path.join(".") || "its entry"}: ${issue?.message ?? "unreadable"}`;
}

/** The command line or the URL of a server as its file has it, so without the values of its inputs. */
export function startText({ start }: Pick<ServerDefinition, "start">): string {
  if ("url" in start) return start.url;
  return [start.command, ...(start.args ?? [])].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./:=@${}+,-]+$/.test(word) ? word : JSON.stringify(word);
}
