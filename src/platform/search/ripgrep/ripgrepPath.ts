import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";

/**
 * Where an editor keeps its ripgrep, by the root of its application. VS Code 1.122 moved it to a package for all
 * platforms, in which each has a folder; the desktop before had its packages in an archive with the programs beside it.
 */
export function ripgrepPlaces(
  appRoot: string,
  platform: NodeJS.Platform = process.platform,
  arch: string = process.arch,
): readonly string[] {
  const name = platform === "win32" ? "rg.exe" : "rg";
  const system = `${platform}-${arch}`;
  const inPackages = [
    ["@vscode", "ripgrep-universal", "bin", system, name],
    ["@vscode", "ripgrep", "bin", system, name],
    ["@vscode", "ripgrep", "bin", name],
    ["@vscode", `ripgrep-${system}`, "bin", name],
  ];
  return ["node_modules", "node_modules.asar.unpacked"].flatMap((packages) =>
    inPackages.map((parts) => join(appRoot, packages, ...parts)),
  );
}

/** The program of the editor. Undefined if it has none: `rg` of the PATH may be of any version, or anything else. */
export async function findRipgrep(appRoot: string): Promise<string | undefined> {
  for (const path of ripgrepPlaces(appRoot)) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}
