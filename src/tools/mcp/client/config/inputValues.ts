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
  readonly #secrets: Pick<vscode.SecretStorage, "get" | "store" | "delete">;
  /** The editor closes a question when it shows another one. */
  readonly #questions = new SerialQueue();

  constructor(secrets: Pick<vscode.SecretStorage, "get" | "store" | "delete">) {
    this.#secrets = secrets;
  }

  /** Asks for a value that is not stored. Rejects with a Refusal if the user gives none. */
  async read(server: ServerDefinition, input: ServerInput): Promise<string> {
    const stored = await this.#secrets.get(keyOf(server, input));
    if (stored !== undefined) return stored;
    const value = await this.#questions.run(() => ask(server, input));
    if (value === undefined) throw new Refusal(`It needs the input ${input.id}, and none was given.`);
    await this.#secrets.store(keyOf(server, input), value);
    return value;
  }

  async forget(server: ServerDefinition): Promise<void> {
    for (const input of server.inputs) await this.#secrets.delete(keyOf(server, input));
  }
}

function keyOf({ id }: ServerDefinition, input: ServerInput): string {
  return `inference.mcpInput.${id}.${input.id}`;
}

async function ask(
  { name }: ServerDefinition,
  { id, type, description = id, password = false, default: value = "", options = [] }: ServerInput,
): Promise<string | undefined> {
  const title = plainLine(`Input for the MCP server ${name}: ${id}`);
  const prompt = plainLine(description);
  if (type === "pickString")
    return vscode.window.showQuickPick([...options], { title, placeHolder: prompt, ignoreFocusOut: true });
  return vscode.window.showInputBox({ title, prompt, password, value, ignoreFocusOut: true });
}
