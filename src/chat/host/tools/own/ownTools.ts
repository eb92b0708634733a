import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { digestInside } from "../../../../platform/files/bounded/digestInside.ts";
import { readInside } from "../../../../platform/files/bounded/readInside.ts";
import { sha256 } from "../../../../platform/sha256.ts";
import type { CallContext, ChatTool } from "../tool.ts";

/** The file with the tools of a workspace. */
export const ownToolsPath = ".vscode/inference-tools.json";

const OwnTool = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().min(1),
  parameters: z.looseObject({ type: z.literal("object") }).exactOptional(),
  /**
   * The program and its arguments, run in the workspace folder without a shell. The model's arguments are written to
   * its standard input as JSON; its standard output is the result. Without a program, the user writes the result.
   */
  command: z.array(z.string().min(1)).min(1).exactOptional(),
});
const OwnTools = z.strictObject({ $schema: z.string().exactOptional(), tools: z.array(OwnTool).max(64) });

/** Runs a program; `input` is written to its standard input. Resolves to its output. */
type RunCommand = (
  command: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
  began: CallContext["began"],
) => Promise<string>;

/** The environment in which the tools of a workspace run. */
export interface OwnToolPlace {
  readonly run: RunCommand;
  /** Changes with the contents of the tools file, and of the workspace files that a command names. */
  readonly digest: (command: readonly string[]) => Promise<string>;
}

/** Limit of that file. */
export const mostOwnToolsBytes = 1_000_000;

/** The text of the file, or why it is not read; neither without a file. */
export type OwnToolsText = { readonly text?: string; readonly problem?: string };

/** Looks at the file before it is read: the workspace can contain a file of any size, or a link to any other. */
export async function readOwnToolsFile(folder: string, isTrusted: boolean): Promise<OwnToolsText> {
  const found = await lstat(resolve(folder, ownToolsPath)).catch(() => undefined);
  if (!found) return {};
  if (!isTrusted) return { problem: untrustedTools };
  if (!found.isFile()) return unreadTools("is a link or not a regular file");
  const read = await readInside(ownToolsPath, [folder], [folder], mostOwnToolsBytes);
  if ("text" in read) return { text: read.text };
  if (read.failure === "missing") return {};
  return unreadTools(read.failure === "too-large" ? "is larger than 1 MB" : "can't be read in the workspace");
}

export const untrustedTools = `Trust this workspace to use the tools of ${ownToolsPath}.`;

export function unreadTools(why: string): OwnToolsText {
  return { problem: `${ownToolsPath} ${why}, so its tools are not offered.` };
}

/** The tools in a file, or a sentence that describes its error. */
export function readOwnTools(
  text: string,
  takenNames: readonly string[],
  place: OwnToolPlace,
): { readonly tools: readonly ChatTool[]; readonly problem?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return wrong(`is not JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
  const parsed = OwnTools.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") || "the file";
    return wrong(`can't be used: ${field}: ${issue?.message ?? "unreadable"}`);
  }
  const names = parsed.data.tools.map(({ name }) => name);
  const double = names.find((name, index) => takenNames.includes(name) || names.indexOf(name) !== index);
  if (double !== undefined) return wrong(`can't be used: the name ${double} is already in use`);
  return { tools: parsed.data.tools.map((tool) => toTool(tool, place)) };
}

function wrong(what: string): { readonly tools: readonly ChatTool[]; readonly problem: string } {
  return { tools: [], problem: `${ownToolsPath} ${what}.` };
}

function toTool(
  { name, description, parameters, command }: z.infer<typeof OwnTool>,
  place: OwnToolPlace,
): ChatTool {
  const [program, ...rest] = command ?? [];
  const shown = command?.map((part) => (/^[\w./:=@-]+$/.test(part) ? part : JSON.stringify(part))).join(" ");
  return {
    kind: "command",
    name,
    title: name,
    description,
    parameters: parameters ?? { type: "object", properties: {} },
    origin: "workspace",
    fingerprint: async () => sha256(JSON.stringify([name, command, await place.digest(command ?? [])])),
    summary: () => (shown === undefined ? "You write the result" : `Run ${shown}`),
    ...(program === undefined
      ? {}
      : {
          run: (input, signal, { began }) =>
            place.run([program, ...rest], JSON.stringify(input), signal, began),
        }),
  };
}

/** Implements `OwnToolPlace.digest` for tools of this folder. A name that is no file counts as missing. */
export function digestOf(folder: string, command: readonly string[]): Promise<string> {
  return digestInside([ownToolsPath, ...command], folder, [folder]);
}
