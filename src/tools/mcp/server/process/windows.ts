import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LinkTool, linkFolder, readLinkTools } from "../../../../shared/mcpLink.ts";
import { findWindows, type WindowSearch } from "./findWindows.ts";
import { LinkError, openWindowLink, type WindowLink } from "./windowLink.ts";

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

const noWindow =
  "Open VS Code with Inference Workbench, and switch on its setting “inference.tools.mcpEnabled”. Then repeat the call. Nothing was sent.";

/** The window that this process uses. */
export class Windows {
  readonly #search: WindowSearch;
  #current: Promise<WindowLink> | undefined;

  constructor(search: WindowSearch) {
    this.#search = search;
  }

  /** A connection, reused while it is open. Rejects with LinkError. */
  async link(client: ClientInfo): Promise<WindowLink> {
    const open = await this.#current?.catch(() => undefined);
    if (open?.isOpen) return open;
    const mine = openBest(this.#search, client);
    this.#current = mine;
    return mine;
  }

  /** Its tools; those of the last window if none is open. */
  async tools(client: ClientInfo): Promise<readonly LinkTool[]> {
    try {
      return (await this.link(client)).tools;
    } catch {
      return storedTools(this.#search.folder);
    }
  }

  close(): void {
    void this.#current?.then((open) => open.close()).catch(() => {});
  }
}

/** A window that crashed leaves its file, so the next one is tried. */
async function openBest(search: WindowSearch, client: ClientInfo): Promise<WindowLink> {
  let refused: LinkError | undefined;
  for (const window of await findWindows(search)) {
    try {
      return await openWindowLink(window, client);
    } catch (error) {
      if (error instanceof LinkError && error.kind === "refused") refused ??= error;
    }
  }
  throw refused ?? new LinkError("unreachable", noWindow);
}

async function storedTools(folder: string): Promise<readonly LinkTool[]> {
  const text = await readFile(join(folder, linkFolder.tools), "utf8").catch(() => "");
  return readLinkTools(text) ?? [];
}
