import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./paths.ts";

/** Third-party code inside a package that the package's own licence file does not mention. */
interface Part {
  readonly name: string;
  readonly licence: string;
  /** Files of media/licenses; empty if the package contains the text. */
  readonly texts: readonly string[];
  readonly note?: string;
}

const emscripten: Part = {
  name: "Emscripten's run-time",
  licence: "MIT",
  texts: ["emscripten.txt"],
};
const musl: Part = { name: "musl, the C library", licence: "MIT", texts: ["musl.txt"] };
const jpegGroup = "This software is based in part on the work of the Independent JPEG Group.";

/** Third-party code by package. Lists every WebAssembly file that is shipped. */
const parts: Readonly<
  Record<string, { readonly wasm?: readonly string[]; readonly of: readonly [Part, ...Part[]] }>
> = {
  "wasm-media-encoders": {
    wasm: ["mp3.wasm"],
    of: [
      {
        name: "LAME 3.100",
        licence: "LGPL-2.0-or-later, gain analysis LGPL-2.1-or-later",
        texts: ["lame.txt", "LGPL-2.0.txt", "LGPL-2.1.txt"],
        note: [
          "dist/work/mp3.wasm is LAME as that package compiled it, a file of its own that this extension takes as it",
          "is: you may replace it by one that you have compiled, and take both apart to find errors in your changes.",
          "The npm package, in this version, has the same file, and its package.json names the repository that it is",
          "built from. LAME's sources are release 3.100 of the LAME project, and the source package `lame` of Debian.",
        ].join("\n"),
      },
      musl,
    ],
  },
  "@evan/opus": {
    wasm: ["opus.wasm"],
    of: [{ name: "libopus", licence: "BSD-3-Clause, BSD-2-Clause", texts: ["libopus.txt"] }, musl],
  },
  "@jsquash/jpeg": {
    wasm: ["mozjpeg_enc.wasm", "mozjpeg_dec.wasm"],
    of: [
      {
        name: "MozJPEG and libjpeg-turbo",
        licence: "BSD-3-Clause, IJG, Zlib",
        texts: ["ijg.txt"],
        note: jpegGroup,
      },
      emscripten,
      musl,
    ],
  },
  "@jsquash/webp": {
    wasm: ["webp_enc_simd.wasm", "webp_dec.wasm"],
    of: [{ name: "libwebp", licence: "BSD-3-Clause", texts: [] }, emscripten, musl],
  },
  undici: { of: [{ name: "llhttp", licence: "MIT", texts: ["llhttp.txt"] }] },
  unpdf: {
    of: [{ name: "PDF.js of the Mozilla Foundation", licence: "Apache-2.0", texts: ["Apache-2.0.txt"] }],
  },
};

/** Licence texts of packages that contain none, or only its name. */
const missingTexts: Readonly<Record<string, string>> = {
  "@cfworker/json-schema": "cfworker.txt",
  "@mozilla/readability": "Apache-2.0.txt",
  format: "format.txt",
};

/** Phrases of licence texts. A file without any of them only names a licence. */
const granting =
  /permission is hereby granted|redistribution and use in source|permission to use, copy, modify|apache license\s+version 2\.0|library general public license|lesser general public license/i;

/**
 * The authors and licences of the shipped code, each with its full text, because minifying drops the packages' own
 * notices. `inputs` are the paths of all inputs of the bundles, from the root. Throws if a text is missing.
 */
export function writeNotices(inputs: readonly string[]): string {
  const problems: string[] = [];
  const pages: string[] = [];
  for (const folder of packagesIn(inputs)) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const head = `${name} ${version} (${license ?? "MIT"})`;
    const wasm = inputs.filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".wasm"));
    const unnamed = wasm.filter((path) => !parts[name]?.wasm?.includes(basename(path)));
    problems.push(...unnamed.map((path) => `${path}: what is it compiled from? Name it in notices.ts`));
    const texts = textsOf(folder, name);
    if (!texts.some((text) => granting.test(text))) problems.push(`${head} has no text of a licence`);
    pages.push([head, ...texts].join("\n\n"));
    for (const part of parts[name]?.of ?? []) {
      const partHead = `${part.name} (${part.licence}), in ${name} ${version}`;
      pages.push([partHead, ...(part.note ? [part.note] : []), textOfPart(part, head)].join("\n\n"));
    }
  }
  if (problems.length > 0) throw new Error(`THIRD_PARTY_NOTICES is not whole:\n${problems.join("\n")}`);
  return `${pages.join(`\n\n${"-".repeat(80)}\n\n`)}\n`;
}

/** The folders of packages, nested ones included, sorted. */
function packagesIn(inputs: readonly string[]): string[] {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

function textsOf(folder: string, name: string): string[] {
  const at = join(root, folder);
  const files = globSync("{,*/}{LICEN[CS]E,licen[cs]e,NOTICE,COPYING}*", { cwd: at }).sort();
  const own = files.filter((file) => !/\.[cm]?[jt]s$/.test(file));
  const added = missingTexts[name];
  return [...own.map((file) => join(at, file)), ...(added ? [licencePath(added)] : [])].map(readTrimmed);
}

function textOfPart({ texts }: Part, packageHead: string): string {
  return texts.length === 0
    ? `Its text stands with ${packageHead}.`
    : texts.map((file) => readTrimmed(licencePath(file))).join("\n\n");
}

function licencePath(file: string): string {
  return join(root, "media", "licenses", file);
}

function readTrimmed(path: string): string {
  return readFileSync(path, "utf8").replaceAll("\r\n", "\n").trim();
}
