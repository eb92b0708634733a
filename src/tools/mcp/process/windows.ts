import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type LinkTool, linkFolder, readLinkTools } from "../../../shared/mcpLink.ts";
import { findWindows, type WindowSearch } from "./findWindows.ts";
import { LinkError, openWindowLink, type WindowLink } from "./windowLink.ts";

/** The window that this process uses. */
export interface Windows {
  /** Its tools; those of the last window if none is open. */
  tools(client: ClientInfo): Promise<readonly LinkTool[]>;
  /** A connection, reused while it is open. Rejects with LinkError. */
  link(client: ClientInfo): Promise<WindowLink>;
  close(): void;
}

export interface ClientInfo {
  readonly name: string;
  readonly version: string;
}

const noWindow =
  "Open VS Code with Inference Workbench, and switch on its setting “inference.tools.mcpEnabled”. Then repeat the call. Nothing was sent.";

export function createWindows(search: WindowSearch): Windows {
  let current: Promise<WindowLink> | undefined;
  const link = async (client: ClientInfo): Promise<WindowLink> => {
    const open = await current?.catch(() => undefined);
    if (open?.isOpen) return open;
    const mine = openBest(search, client);
    current = mine;
    return mine;
  };
  return {
    link,
    async tools(client) {
      try {
        return (await link(client)).tools;
      } catch {
        return storedTools(search.folder);
      }
    },
    close: () => void current?.then((open) => open.close()).catch(() => {}),
  };
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
