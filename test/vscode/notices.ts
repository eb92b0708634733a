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

interface Notice {
  /** Packages by what their texts have before the licence: a title and the copyright. */
  readonly owners: Map<string, string[]>;
  readonly notes: readonly string[];
  readonly licence: string;
}

/**
 * The authors and licences of the shipped code, with the full texts, because minifying drops the packages' own
 * notices. `inputs` are the paths of all inputs of the bundles, from the root. Throws if a text is missing.
 */
export function writeNotices(inputs: readonly string[]): string {
  const problems: string[] = [];
  const byLicence = new Map<string, Notice>();
  const add = (head: string, notes: readonly string[], text: string) => {
    const at = Math.max(0, text.search(granting));
    const [copyright, licence] = [text.slice(0, at).trim(), text.slice(at)];
    // The same licence is written once, below all packages that have it.
    const key = notes.length === 0 ? wordsOf(licence) : head;
    const notice = byLicence.get(key) ?? { owners: new Map(), notes, licence };
    notice.owners.set(copyright, [...(notice.owners.get(copyright) ?? []), head]);
    byLicence.set(key, notice);
  };
  for (const folder of packagesIn(inputs)) {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const head = `${name} ${version} (${license ?? "MIT"})`;
    const wasm = inputs.filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".wasm"));
    const unnamed = wasm.filter((path) => !parts[name]?.wasm?.includes(basename(path)));
    problems.push(...unnamed.map((path) => `${path}: what is it compiled from? Name it in notices.ts`));
    const texts = textsOf(folder, name);
    if (!texts.some((text) => granting.test(text))) problems.push(`${head} has no text of a licence`);
    add(head, [], texts.join("\n\n"));
    for (const part of parts[name]?.of ?? []) {
      const partHead = `${part.name} (${part.licence}), in ${name} ${version}`;
      add(partHead, part.note ? [part.note] : [], textOfPart(part, head));
    }
  }
  if (problems.length > 0) throw new Error(`THIRD_PARTY_NOTICES is not whole:\n${problems.join("\n")}`);
  // Similar texts in sequence compress far better.
  const sorted = [...byLicence.values()].sort((a, b) => (wordsOf(a.licence) < wordsOf(b.licence) ? -1 : 1));
  const pages = sorted.map(({ owners, notes, licence }) => [
    ...[...owners].flatMap(([copyright, heads]) => [heads.join("\n"), ...(copyright ? [copyright] : [])]),
    ...notes,
    licence,
  ]);
  return onlyFirst(`${pages.map((page) => page.join("\n\n")).join(`\n\n${"-".repeat(80)}\n\n`)}\n`);
}

/** The terms of the Apache licence, which packages include with texts of their own before and after. */
const apacheTerms = /TERMS AND CONDITIONS FOR USE, REPRODUCTION[\s\S]*?END OF TERMS AND CONDITIONS/g;

/** The same terms again refer to the first ones. */
function onlyFirst(text: string): string {
  const seen = new Set<string>();
  return text.replace(apacheTerms, (terms) => {
    const words = wordsOf(terms);
    if (seen.has(words)) return "The terms and conditions of the Apache License 2.0 are those above.";
    seen.add(words);
    return terms;
  });
}

/** A licence without differences of layout. */
function wordsOf(licence: string): string {
  return licence.replace(/\s+/g, " ").toLowerCase();
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
