import { access, constants } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join } from "node:path";

/** Places to look for the binary. */
export interface AnvilPlaces {
  /** An explicit path. If given, nothing else is tried. */
  readonly path?: string | undefined;
  /** Folders whose `node_modules`, or that of a parent, may contain the anvil package for this platform. */
  readonly folders: readonly string[];
  /** A PATH. Relative entries are ignored. */
  readonly searchPath: string | undefined;
}

const systems: Readonly<Record<string, string>> = { linux: "linux", darwin: "darwin", win32: "win32" };
const processors: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/** The path of the first executable anvil. */
export async function findAnvil(places: AnvilPlaces): Promise<string | undefined> {
  const candidates =
    places.path === undefined ? [...packaged(places.folders), ...onPath(places.searchPath)] : [places.path];
  for (const candidate of candidates) if (await isRunnable(candidate)) return candidate;
  return undefined;
}

const binary = process.platform === "win32" ? "anvil.exe" : "anvil";

/** The package starts this file by a Node script. Using the file directly saves a process. */
function packaged(folders: readonly string[]): string[] {
  const [system, processor] = [systems[process.platform], processors[process.arch]];
  if (system === undefined || processor === undefined) return [];
  const name = join("node_modules", "@foundry-rs", `anvil-${system}-${processor}`, "bin", binary);
  return folders.flatMap(withParents).map((folder) => join(folder, name));
}

function withParents(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...withParents(parent)];
}

function onPath(searchPath = ""): string[] {
  return (
    searchPath
      .split(delimiter)
      // Relative entries depend on the working directory.
      .filter((folder) => isAbsolute(folder))
      .map((folder) => join(folder, binary))
  );
}

async function isRunnable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
