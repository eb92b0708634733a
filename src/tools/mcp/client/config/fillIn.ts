import { homedir } from "node:os";
import { basename, delimiter, isAbsolute, resolve, sep } from "node:path";
import { parseEnv } from "node:util";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { readRegular } from "../../../../platform/files/bounded/readInside.ts";
import { environment } from "../../../../shared/names/ids.ts";
import { isThisMachine } from "../../../../shared/web/privateHost.ts";
import type { ServerDefinition, ServerInput, ServerStart } from "./mcpFile.ts";

/** A server's program with its working directory and its environment, all without variables. */
export interface ProgramStart {
  readonly kind: "program";
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A server's address, without variables. `isOld`: only the transport with a separate event stream. */
export interface RemoteStart {
  readonly kind: "remote";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOld: boolean;
}

export interface Surroundings {
  /** The first folder of the workspace, for the servers of the user's own file. */
  readonly folder: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  /** The value of an input. Rejects with a Refusal if the user gives none. */
  readonly ask: (input: ServerInput) => Promise<string>;
}

const mostEnvBytes = 1_000_000;

/** Replaces the variables of a server's texts. Rejects with a Refusal for one that has no value. */
export async function fillIn(
  definition: ServerDefinition,
  around: Surroundings,
): Promise<ProgramStart | RemoteStart> {
  const { start, file } = definition;
  const folder = file.folder ?? around.folder;
  const fill = (text: string) =>
    filled(text, (name) => variableValue(name, definition, { ...around, folder }));
  return "url" in start ? remoteStart(start, fill) : programStart(start, fill, folder, around.env);
}

type Fill = (text: string) => Promise<string>;

async function remoteStart(
  { url: written, headers = {}, type }: Extract<ServerStart, { url: string }>,
  fill: Fill,
): Promise<RemoteStart> {
  const text = await fill(written);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Refusal("Its URL must begin with https:// or http://. Correct it in mcp.json.");
  // Headers and results can be read and changed on the way.
  if (url.protocol === "http:" && !isThisMachine(url.hostname) && Object.keys(headers).length > 0)
    throw new Refusal(
      "Its headers are sent with https:// only, or to this machine. Change its URL in mcp.json.",
    );
  const filledHeaders: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) filledHeaders.push([name, await fill(value)]);
  return { kind: "remote", url, headers: Object.fromEntries(filledHeaders), isOld: type === "sse" };
}

async function programStart(
  start: Exclude<ServerStart, { url: string }>,
  fill: Fill,
  folder: string | undefined,
  around: NodeJS.ProcessEnv,
): Promise<ProgramStart> {
  const fillPath = (text: string) => atHome(text, fill);
  const args: string[] = [];
  for (const text of start.args ?? []) args.push(await fillPath(text));
  const base = folder ?? homedir();
  const cwd = start.cwd === undefined ? base : resolve(base, await fillPath(start.cwd));
  const env: NodeJS.ProcessEnv = { ...around };
  if (start.envFile !== undefined)
    Object.assign(env, await readEnv(resolve(base, await fillPath(start.envFile))));
  for (const [name, value] of Object.entries(start.env ?? {}))
    if (value === null) delete env[name];
    else env[name] = withUsual(name, env[name], await fill(String(value)));
  const command = await fillPath(start.command);
  // A command with a path is relative to its folder, as in the editor.
  const program = command.includes("/") && !isAbsolute(command) ? resolve(cwd, command) : command;
  return { kind: "program", command: [program, ...args], folder: cwd, env };
}

/** `~/notes`: no shell reads these words, but people write them so, and the editor reads them. */
async function atHome(text: string, fill: Fill): Promise<string> {
  return /^~(?=$|[/\\])/.test(text) ? `${homedir()}${await fill(text.slice(1))}` : fill(text);
}

/** Folders of programs are added to those of the window, as in the editor: otherwise a server finds no shell. */
function withUsual(name: string, usual: string | undefined, value: string): string {
  return name.toUpperCase() === "PATH" && usual ? `${usual}${delimiter}${value}` : value;
}

async function readEnv(path: string): Promise<NodeJS.Dict<string>> {
  const text = await readRegular(path, mostEnvBytes).catch(() => undefined);
  if (typeof text === "string") return parseEnv(text);
  throw new Refusal(`Its envFile ${path} can't be read. Correct it in mcp.json.`);
}

/** Replaces each `${NAME}`. What a variable contains is not read again. */
async function filled(text: string, valueFor: (name: string) => Promise<string>): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(/\$\{([^{}]{1,200})\}/g)) {
    parts.push(text.slice(end, match.index), await valueFor(match[1] ?? ""));
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)].join("");
}

async function variableValue(
  name: string,
  { inputs }: ServerDefinition,
  { folder, env, ask }: Surroundings,
): Promise<string> {
  const [kind, key = ""] = name.split(/:(.*)/s);
  if (kind === "input") {
    const input = inputs.find(({ id }) => id === key);
    if (input) return ask(input);
    throw new Refusal(`mcp.json has no input ${key}. Add it to its inputs.`);
  }
  return placeValue(name, folder) ?? environmentValue(name, kind, key, env);
}

function environmentValue(
  name: string,
  kind: string | undefined,
  key: string,
  env: Surroundings["env"],
): string {
  if (kind !== "env")
    throw new Refusal(`\${${name}} is not known here. Write its value into mcp.json, or name an input.`);
  // The key belongs to the connection, not to a server.
  if (key.toUpperCase() === environment.key)
    throw new Refusal(`The variable ${key} is not given to servers.`);
  return env[key] ?? "";
}

/** Undefined for a variable that names no place. */
function placeValue(name: string, folder: string | undefined): string | undefined {
  if (name === "userHome") return homedir();
  if (name === "pathSeparator" || name === "/") return sep;
  if (name !== "workspaceFolder" && name !== "workspaceFolderBasename") return undefined;
  if (folder === undefined) throw new Refusal(`\${${name}} has no value: open a folder.`);
  return name === "workspaceFolder" ? folder : basename(folder);
}
