import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import * as z from "zod";
import { placeInside } from "../../../platform/placeInside.ts";
import type { ChatTool } from "./tool.ts";

/** Where a workspace keeps the tools of its own. */
export const ownToolsPath = ".vscode/inference-tools.json";

const OwnTool = z.strictObject({
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ or -"),
  description: z.string().min(1),
  parameters: z.looseObject({ type: z.literal("object") }).exactOptional(),
  /**
   * The program and its arguments, run in the workspace's folder without a shell. It is given the model's arguments as
   * JSON on its standard input; what it writes is the result. Without it, a person writes the result.
   */
  command: z.array(z.string().min(1)).min(1).exactOptional(),
});
const OwnTools = z.strictObject({ $schema: z.string().exactOptional(), tools: z.array(OwnTool).max(64) });

/** Runs a program; `input` goes to its standard input. Resolves to what it wrote. */
type RunCommand = (
  command: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
) => Promise<string>;

/** Where the tools of a workspace run. */
export interface OwnToolPlace {
  readonly run: RunCommand;
  /** Changes with the contents of the file of tools, and of the files of the workspace that a command names. */
  readonly digest: (command: readonly string[]) => Promise<string>;
}

/** The tools that a file describes, or a sentence that says what is wrong with it. */
export function readOwnTools(
  text: string,
  takenNames: readonly string[],
  place: OwnToolPlace,
): { readonly tools: readonly ChatTool[]; readonly problem?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return wrong(`is no JSON: ${error instanceof Error ? error.message : "unreadable"}`);
  }
  const parsed = OwnTools.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const field = issue?.path.join(".") || "the file";
    return wrong(`can't be used: ${field}: ${issue?.message ?? "unreadable"}`);
  }
  const names = parsed.data.tools.map(({ name }) => name);
  const double = names.find((name, index) => takenNames.includes(name) || names.indexOf(name) !== index);
  if (double !== undefined) return wrong(`can't be used: the name ${double} is taken`);
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
    name,
    title: name,
    description,
    parameters: parameters ?? { type: "object", properties: {} },
    origin: "workspace",
    fingerprint: async () => sha256(JSON.stringify([name, command, await place.digest(command ?? [])])),
    says: () => (shown === undefined ? "You write the result" : `Run ${shown}`),
    ...(program === undefined
      ? {}
      : { run: (input, signal) => place.run([program, ...rest], JSON.stringify(input), signal) }),
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The digest of `OwnToolPlace` for tools that stand in this folder. What is no file of it counts as not there. */
export async function digestOf(folder: string, command: readonly string[]): Promise<string> {
  const digests: (string | undefined)[] = [];
  for (const word of [ownToolsPath, ...command]) {
    const path = resolve(folder, word);
    const place = await placeInside([folder], path).catch(() => undefined);
    const isFile = place !== undefined && (await stat(path)).isFile();
    digests.push(isFile ? await digestOfFile(path) : undefined);
  }
  return sha256(JSON.stringify(digests));
}

/** As it is read: a file may be larger than what fits into memory. */
async function digestOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece);
  return hash.digest("hex");
}
