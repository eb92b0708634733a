import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { crc32, deflateRawSync } from "node:zlib";
import { createVSIX } from "@vscode/vsce";
import { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from "@zip.js/zip.js";
import { unzipSync } from "fflate";
import { withBuildLock } from "./buildLock.ts";
import { root } from "./paths.ts";
import { runToEnd } from "./processGroup.ts";
import { failWith } from "./progress.ts";

/** The path of the .vsix that `packageExtension` writes by default. */
export function vsixPath(): string {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    string
  >;
  return join(root, "dist", `${name}-${version}.vsix`);
}

/** Builds and packages the extension. All dependencies are bundled, so none is packaged. Returns the path. */
export function packageExtension(packagePath = vsixPath()): Promise<string> {
  return withBuildLock(async () => {
    await runToEnd(process.execPath, ["esbuild.mjs"], { cwd: root });
    await withoutLog(() =>
      createVSIX({
        cwd: root,
        packagePath,
        dependencies: false,
        allowMissingRepository: true,
        rewriteRelativeLinks: false, // no public repository yet for README's pictures
      }),
    );
    await compressFully(packagePath);
    return packagePath;
  });
}

/** Sizes of zlib's blocks, as its `memLevel`. Which one is best differs by file. */
const blockSizes = [5, 6, 7];

/** vsce compresses at zlib's default level. The highest one with the best blocks for each file saves about 20 KB. */
async function compressFully(path: string): Promise<void> {
  const zip = new ZipWriter(new Uint8ArrayWriter(), { extendedTimestamp: false, dataDescriptor: false });
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(path)))) {
    const content = name === "extension/package.json" ? Buffer.from(shippedManifest(bytes)) : bytes;
    const tried = blockSizes.map((memLevel) => deflateRawSync(content, { level: 9, memLevel }));
    const shortest = tried.reduce((one, other) => (other.length < one.length ? other : one));
    await zip.add(name, new Uint8ArrayReader(shortest), {
      passThrough: true,
      compressionMethod: 8,
      uncompressedSize: content.length,
      signature: crc32(content),
    });
  }
  writeFileSync(path, await zip.close());
}

/** The manifest without what only development needs, and without spaces: 2 KB less in the package. */
function shippedManifest(bytes: Uint8Array): string {
  const {
    devDependencies: _,
    scripts: __,
    allowScripts: ___,
    ...shipped
  } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  return JSON.stringify(shipped);
}

/** vsce logs every packed file; only its warnings matter here. */
async function withoutLog(work: () => Promise<void>): Promise<void> {
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
