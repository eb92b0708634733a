import * as vscode from "vscode";
import { plainLine } from "../../../../platform/editor/dialogs/pickLines.ts";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import type { ServerDefinition, ServerInput } from "./mcpFile.ts";

/**
 * The values of inputs, in SecretStorage. Each is bound to its server as the file has it: after a change of the command
 * line, the URL or the headers the user is asked again, so that no other program and no other host gets it.
 */
export class InputValues {
  readonly #secrets: Pick<vscode.SecretStorage, "get" | "store">;
  /** The editor closes a question when it shows another one. */
  readonly #questions = new SerialQueue();
  /** Keys of values with which a server could not be used. */
  readonly #doubted = new Set<string>();

  constructor(secrets: Pick<vscode.SecretStorage, "get" | "store">) {
    this.#secrets = secrets;
  }

  /** Asks for a value that is not stored, or is in doubt. Rejects with a Refusal if the user gives none. */
  async read(server: ServerDefinition, input: ServerInput): Promise<string> {
    const key = keyOf(server, input);
    const stored = await this.#secrets.get(key);
    if (stored !== undefined && !this.#doubted.has(key)) return stored;
    const value = await this.#questions.run(() => ask(server, input, stored));
    if (value === undefined) throw new Refusal(`It needs the input ${input.id}, and none was given.`);
    await this.#secrets.store(key, value);
    this.#doubted.delete(key);
    return value;
  }

  /** The values may be wrong: the user is asked again, and finds them in the questions. */
  doubt(server: ServerDefinition): void {
    for (const input of server.inputs) this.#doubted.add(keyOf(server, input));
  }
}

function keyOf({ id }: ServerDefinition, input: ServerInput): string {
  return `inference.mcpInput.${id}.${input.id}`;
}

/** `last`: the value that was given before. */
async function ask(
  { name }: ServerDefinition,
  { id, type, description = id, password = false, default: given = "", options = [] }: ServerInput,
  last?: string,
): Promise<string | undefined> {
  const title = plainLine(`Input for the MCP server ${name}: ${id}`);
  const prompt = plainLine(description);
  const value = last ?? given;
  if (type === "pickString") {
    // The first one is what Enter takes.
    const sorted = options.toSorted((a, b) => Number(b === value) - Number(a === value));
    return vscode.window.showQuickPick(sorted, { title, placeHolder: prompt, ignoreFocusOut: true });
  }
  return vscode.window.showInputBox({ title, prompt, password, value, ignoreFocusOut: true });
}
