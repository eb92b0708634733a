import { createHash } from "node:crypto";

/** A tool as its format names it. */
export interface ToolName {
  /** `search`: the client's own search of tools, whose results are tools that the model may call from then on. */
  readonly kind: "function" | "custom" | "search";
  readonly namespace?: string;
  readonly name: string;
}

const maxLength = 64;
const valid = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Gives each tool one flat name of at most 64 characters for the chat route, and finds the tool of such a name. No two
 * tools have the same one. Names depend on the tools alone, so that each request of a conversation has the same.
 */
export class ToolNames {
  readonly #flat = new Map<string, string>();
  readonly #tools = new Map<string, ToolName>();

  /** The flat name, which is the tool's own if that is valid and free. Tools without a namespace should come first. */
  flatOf(tool: ToolName): string {
    const key = JSON.stringify([tool.kind, tool.namespace ?? null, tool.name]);
    const known = this.#flat.get(key);
    if (known !== undefined) return known;
    const flat = this.#freeName(tool, key);
    this.#flat.set(key, flat);
    this.#tools.set(flat, tool);
    return flat;
  }

  has({ kind, namespace, name }: ToolName): boolean {
    return this.#flat.has(JSON.stringify([kind, namespace ?? null, name]));
  }

  toolOf(flat: string): ToolName | undefined {
    return this.#tools.get(flat);
  }

  #freeName({ namespace, name }: ToolName, key: string): string {
    const wished = namespace === undefined ? name : `${namespace}__${name}`;
    if (valid.test(wished) && !this.#tools.has(wished)) return wished;
    const digest = createHash("sha256").update(key).digest("hex");
    const readable = wished.slice(0, maxLength).replaceAll(/[^A-Za-z0-9_-]/g, "_");
    for (let length = 8; length < digest.length; length++) {
      const end = `_${digest.slice(0, length)}`;
      const flat = readable.slice(0, maxLength - end.length) + end;
      if (!this.#tools.has(flat)) return flat;
    }
    return digest;
  }
}
