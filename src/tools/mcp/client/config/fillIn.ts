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
  readonly secrets: Secrets;
}

/** Values that are removed from the output and the errors of a server: inputs, headers, and variables with secrets. */
type Secrets = readonly string[];

/** A server's address, without variables. `isOld`: only the transport with a separate event stream. */
export interface RemoteStart {
  readonly kind: "remote";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly isOld: boolean;
  readonly secrets: Secrets;
}

export interface Surroundings {
  /** The first folder of the workspace, for the servers of the user's own file. */
  readonly folder: string | undefined;
  /** All folders of the workspace. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
  readonly env: NodeJS.ProcessEnv;
  /** The value of a setting. `isUsers`: only as the user has set it, and not the workspace. */
  readonly setting: (name: string, isUsers: boolean) => unknown;
  /** The value of an input. Rejects with a Refusal if the user gives none. */
  readonly ask: (input: ServerInput) => Promise<string>;
}

const mostEnvBytes = 1_000_000;
/** A shorter value would be left out of common words, too. */
const leastSecretLength = 4;
/** The words of a secret are longer than those of its scheme, such as `Bearer`. */
const leastPartLength = 12;
const secretName = /key|token|secret|passw|credential|auth/i;

/** Replaces the variables of a server's texts. Rejects with a Refusal for one that has no value. */
export async function fillIn(
  definition: ServerDefinition,
  around: Surroundings,
): Promise<ProgramStart | RemoteStart> {
  const { start, file } = definition;
  const folder = file.folder ?? around.folder;
  const given: string[] = [];
  const ask = async (input: ServerInput) => {
    const value = await around.ask(input);
    given.push(value);
    return value;
  };
  const fill = (text: string) =>
    filled(text, (name) => variableValue(name, definition, { ...around, folder, ask }));
  const filledStart =
    "url" in start ? await remoteStart(start, fill) : await programStart(start, fill, folder, around.env);
  return { ...filledStart, secrets: secretsOf(given, filledStart, around.env) };
}

type Filled<Start> = Omit<Start, "secrets">;

/** The longest first, which can contain others. `usual` is the environment of the window: what of it stays is no secret of this server. */
function secretsOf(
  given: readonly string[],
  start: Filled<ProgramStart> | Filled<RemoteStart>,
  usual: NodeJS.ProcessEnv,
): Secrets {
  const named = Object.entries(start.kind === "program" ? start.env : {})
    .filter(([name, value]) => secretName.test(name) && value !== usual[name])
    .map(([, value = ""]) => value);
  const sent = start.kind === "remote" ? Object.values(start.headers) : [];
  const whole = [...given, ...named, ...sent].filter(({ length }) => length >= leastSecretLength);
  // A server may print the token of a header alone, or a key of several lines line by line.
  const parts = whole
    .flatMap((value) => value.split(/\s+/))
    .filter(({ length }) => length >= leastPartLength);
  return [...new Set([...whole, ...parts])].sort((a, b) => b.length - a.length);
}

type Fill = (text: string) => Promise<string>;

async function remoteStart(
  { url: written, headers = {}, type }: Extract<ServerStart, { url: string }>,
  fill: Fill,
): Promise<Filled<RemoteStart>> {
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
): Promise<Filled<ProgramStart>> {
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
  definition: ServerDefinition,
  around: Surroundings,
): Promise<string> {
  const [kind, key = ""] = name.split(/:(.*)/s);
  switch (kind) {
    case "input":
      return inputValue(key, definition, around.ask);
    case "env":
      return environmentValue(key, around.env);
    case "config":
      return settingValue(key, around.setting(key, definition.file.folder === undefined));
    case "command":
      // Any extension can have any command, and a file of the workspace can name it.
      throw new Refusal(
        `\${${name}} would run a command of the editor, which is not done for servers. Name an input instead.`,
      );
    default:
      return placeValue(name, around);
  }
}

async function inputValue(
  key: string,
  { inputs }: ServerDefinition,
  ask: Surroundings["ask"],
): Promise<string> {
  const input = inputs.find(({ id }) => id === key);
  if (!input) throw new Refusal(`mcp.json has no input ${key}. Add it to its inputs.`);
  if (input.type !== "command") return ask(input);
  throw new Refusal(
    `The input ${key} would run a command of the editor, which is not done for servers. Change its type in mcp.json to promptString.`,
  );
}

function environmentValue(key: string, env: Surroundings["env"]): string {
  // The key belongs to the connection, not to a server.
  if (key.toUpperCase() === environment.key)
    throw new Refusal(`The variable ${key} is not given to servers.`);
  return env[key] ?? "";
}

function settingValue(name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return String(value);
  throw new Refusal(
    `The setting ${name} has no value that is a text, a number or true or false. Set it, or write its value into mcp.json.`,
  );
}

function placeValue(name: string, { folder, folders }: Surroundings): string {
  if (name === "userHome") return homedir();
  if (name === "pathSeparator" || name === "/") return sep;
  const [kind, of] = name.split(/:(.*)/s);
  if (kind !== "workspaceFolder" && kind !== "workspaceFolderBasename")
    throw new Refusal(`\${${name}} is not known here. Write its value into mcp.json, or name an input.`);
  const path = of === undefined ? folder : folders.find((one) => one.name === of)?.path;
  if (path !== undefined) return kind === "workspaceFolder" ? path : basename(path);
  const open = of === undefined ? "open a folder" : `this workspace has no folder ${of}`;
  throw new Refusal(`\${${name}} has no value: ${open}.`);
}
