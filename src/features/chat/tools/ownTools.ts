import { createHash } from "node:crypto";
import * as z from "zod";
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
export type RunCommand = (
  command: readonly [string, ...string[]],
  input: string,
  signal: AbortSignal,
) => Promise<string>;

/** The tools that a file describes, or a sentence that says what is wrong with it. */
export function readOwnTools(
  text: string,
  takenNames: readonly string[],
  runCommand: RunCommand,
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
  return { tools: parsed.data.tools.map((tool) => toTool(tool, runCommand)) };
}

function wrong(what: string): { readonly tools: readonly ChatTool[]; readonly problem: string } {
  return { tools: [], problem: `${ownToolsPath} ${what}.` };
}

function toTool(
  { name, description, parameters, command }: z.infer<typeof OwnTool>,
  runCommand: RunCommand,
): ChatTool {
  const [program, ...rest] = command ?? [];
  const shown = command?.map((part) => (/^[\w./:=@-]+$/.test(part) ? part : JSON.stringify(part))).join(" ");
  return {
    name,
    title: name,
    description,
    parameters: parameters ?? { type: "object", properties: {} },
    origin: "workspace",
    fingerprint: createHash("sha256")
      .update(JSON.stringify([name, command]))
      .digest("hex"),
    says: () => (shown === undefined ? "You write the result" : `Run ${shown}`),
    ...(program === undefined
      ? {}
      : { run: (input, signal) => runCommand([program, ...rest], JSON.stringify(input), signal) }),
  };
}
