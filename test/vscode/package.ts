import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createVSIX } from "@vscode/vsce";
import { withBuildLock } from "./buildLock.ts";
import { root } from "./paths.ts";
import { runToEnd } from "./processGroup.ts";
import { failWith } from "./progress.ts";

/** Where `packageExtension` puts the extension, as a user installs it. */
export function vsixPath(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  return join(root, "dist", `${name}-${version}.vsix`);
}

/** Builds the bundles and packs them: everything is bundled, so no dependency goes in. Gives the file's path. */
export function packageExtension(packagePath = vsixPath()): Promise<string> {
  return withBuildLock(async () => {
    await runToEnd(process.execPath, ["esbuild.mjs"], { cwd: root });
    await quietly(() =>
      createVSIX({
        cwd: root,
        packagePath,
        dependencies: false,
        allowMissingRepository: true,
        rewriteRelativeLinks: false, // there is no public repository yet that README's pictures could be linked to
      }),
    );
    return packagePath;
  });
}

/** vsce lists every packed file on the console; only what it warns of matters here. */
async function quietly(work: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await work();
  } finally {
    console.log = log;
  }
}

if (import.meta.main) {
  await packageExtension().then((path) => console.log(relative(root, path)), failWith);
}
