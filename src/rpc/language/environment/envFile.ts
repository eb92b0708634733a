import { isSecretValue } from "../encode/secretValue.ts";

/** A variable of an environment. */
export interface Variable {
  readonly name: string;
  readonly value: string;
  /** Zero-based line of its name in the file. */
  readonly line: number;
  /** True if the value must not be shown or stored. */
  readonly isSecret: boolean;
}

/** The variables of a file, or the reason that it can't be used. */
export type EnvFile =
  | {
      /** For messages. */
      readonly path: string;
      /** Where the editor opens it; undefined without an editor. */
      readonly uri?: string;
      readonly variables: ReadonlyMap<string, Variable>;
    }
  | { readonly problem: string };

/** People write these files. Larger ones are refused. */
export const maxEnvBytes = 262_144;
const maxVariables = 1_000;
/** All results are searched for each of them. */
const maxSecrets = 100;

/** An environment `staging` is the file `staging.rpc.env`. */
export const envFileEnding = ".rpc.env";
const environmentName = /^[A-Za-z_][\w-]{0,63}$/;

/** True for names that are one part of a path. */
export function isEnvironmentName(text: string): boolean {
  return environmentName.test(text);
}

/** The environments of a folder, by the names of its files. */
export function environmentsAmong(fileNames: readonly string[]): string[] {
  return fileNames
    .filter((name) => name.endsWith(envFileEnding))
    .map((name) => name.slice(0, -envFileEnding.length))
    .filter(isEnvironmentName)
    .sort()
    .slice(0, 100);
}

export function readEnvFile(text: string, path: string, uri?: string): EnvFile {
  const variables = parseEnv(text);
  if (variables.size > maxVariables) {
    const most = maxVariables.toLocaleString("en-US");
    return {
      problem: `${path} has ${variables.size.toLocaleString("en-US")} variables. Use at most ${most}`,
    };
  }
  const secrets = [...variables.values()].filter(({ isSecret }) => isSecret).length;
  if (secrets > maxSecrets) return { problem: `${path} has ${secrets} secrets. Use at most ${maxSecrets}` };
  return { path, variables, ...(uri === undefined ? {} : { uri }) };
}

/** Names in the text of a new file. */
const mostExamples = 100;

/** The text of a new file, with a line for each of these variables. */
export function newEnvText(names: readonly string[]): string {
  const own = [...new Set(names)]
    .filter((name) => name !== "" && endOfName(name, 0) === name.length)
    .slice(0, mostExamples);
  if (own.length > 0) return own.map((name) => `${name}=\n`).join("");
  return "# Variables of RPC notebooks. A cell uses TOKEN as {{TOKEN}}.\nTOKEN=\n";
}

/**
 * Parses the text of a `.env` file with the rules of dotenv: comments, quotes, values over several lines, `export`. The
 * last value of a name is used. Takes linear time, which the pattern of dotenv does not.
 */
export function parseEnv(text: string): Map<string, Variable> {
  const source = text.replace(/\r\n?/g, "\n");
  const variables = new Map<string, Variable>();
  let [at, line, counted] = [0, 0, 0];
  while (at < source.length) {
    const from = endOfSpace(source, at);
    const found = assignmentAt(source, from);
    if (found) {
      for (; counted < found.key; counted++) if (source[counted] === "\n") line++;
      variables.set(found.name, variableOf(found.name, found.value, line));
    }
    const next = source.indexOf("\n", found?.end ?? from);
    if (next < 0) break;
    at = next + 1;
  }
  return variables;
}

export function variableOf(name: string, value: string, line = 0): Variable {
  return { name, value, line, isSecret: isSecretValue(name, value) };
}

interface Assignment {
  readonly name: string;
  readonly value: string;
  /** Offsets of the name, and of the end of the value. */
  readonly key: number;
  readonly end: number;
}

function assignmentAt(source: string, from: number): Assignment | undefined {
  const word = endOfName(source, from);
  if (word === from) return undefined;
  const afterWord = endOfSpace(source, word);
  if (source.slice(from, word) === "export" && afterWord > word) {
    const exported = namedAt(source, afterWord);
    if (exported) return exported;
  }
  return namedAt(source, from);
}

function namedAt(source: string, key: number): Assignment | undefined {
  const end = endOfName(source, key);
  if (end === key) return undefined;
  const mark = endOfSpace(source, end);
  const isColon = source[end] === ":" && endOfSpace(source, end + 1) > end + 1;
  if (source[mark] !== "=" && !isColon) return undefined;
  // A colon must be followed by a space.
  const value = valueAt(source, isColon ? end + 2 : mark + 1);
  return { name: source.slice(key, end), key, ...value };
}

function valueAt(source: string, start: number): Pick<Assignment, "value" | "end"> {
  const open = endOfSpace(source, start);
  const quote = source[open];
  if (quote === "'" || quote === '"' || quote === "`") {
    const close = closingQuote(source, open, quote);
    if (close !== undefined)
      return { value: withEscapes(source.slice(open + 1, close), quote), end: close + 1 };
  }
  const end = endOfPlain(source, start);
  const plain = source.slice(start, end).trim();
  const first = plain.charAt(0);
  const isQuoted = plain.length > 1 && /["'`]/.test(first) && plain.endsWith(first);
  return { value: withEscapes(isQuoted ? plain.slice(1, -1) : plain, first), end };
}

function withEscapes(value: string, quote: string): string {
  return quote === '"' ? value.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : value;
}

/** The first quote that is not escaped, if only a comment follows it; else the last escaped one that closes. */
function closingQuote(source: string, open: number, quote: string): number | undefined {
  const escaped: number[] = [];
  let at = source.indexOf(quote, open + 1);
  while (at > 0 && source[at - 1] === "\\") {
    escaped.push(at);
    at = source.indexOf(quote, at + 1);
  }
  return [...escaped, ...(at > 0 ? [at] : [])].findLast((one) => endsLine(source, one + 1));
}

/** True if only space and a comment are left in the line. */
function endsLine(source: string, at: number): boolean {
  let end = at;
  while (end < source.length && source[end] !== "\n" && isSpace(source, end)) end++;
  return end === source.length || source[end] === "\n" || source[end] === "#";
}

function endOfPlain(source: string, start: number): number {
  let at = start;
  while (at < source.length && source[at] !== "#" && source[at] !== "\n") at++;
  return at;
}

function endOfName(source: string, start: number): number {
  let at = start;
  while (at < source.length && /[\w.-]/.test(source.charAt(at))) at++;
  return at;
}

function endOfSpace(source: string, start: number): number {
  let at = start;
  while (at < source.length && isSpace(source, at)) at++;
  return at;
}

function isSpace(source: string, at: number): boolean {
  return /\s/.test(source.charAt(at));
}
