// Compares README, guide and tour with the manifest, the sandbox's catalog and constants of the code.
import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Endpoint } from "../../src/api/endpoint.ts";
import { augmentation } from "../../src/api/money/price.ts";
import { table } from "../../src/api/table.ts";
import { limits } from "../../src/editor/limits.ts";
import { otherModels } from "../../src/sandbox/catalog/otherModels.ts";
import { userModels } from "../../src/sandbox/catalog/textModels.ts";
import { formatUsd } from "../../src/shared/money/formatUsd.ts";
import { commandSettings, commands, settings } from "../../src/shared/names/ids.ts";
import { testModels } from "../serviceKit/testModels.ts";
import { root } from "../tools/paths.ts";

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
    }[];
    readonly menus: {
      readonly commandPalette: readonly { readonly command: string; readonly when?: string }[];
    };
    readonly keybindings: readonly { readonly command: string; readonly key: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    readonly walkthroughs: readonly {
      readonly title: string;
      readonly steps: readonly { readonly description: string }[];
    }[];
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
  };
}

const { contributes } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
const read = (path: string) => readFileSync(join(root, path), "utf8");
const guidePages = readdirSync(join(root, "media/docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => `media/docs/${name}`);
const [tour] = contributes.walkthroughs;
const pages: readonly (readonly [name: string, text: string])[] = [
  ["README.md", read("README.md")],
  ...guidePages.map((path) => [path, read(path)] as const),
  ["the tour", (tour?.steps ?? []).map(({ description }) => description).join("\n")],
];
const guide = guidePages.map(read).join("\n");
const titles = new Set(contributes.commands.map(({ title }) => title));
const defaultOf = (id: string): unknown =>
  contributes.configuration
    .map(({ properties }) => properties[id]?.default)
    .find((value) => value !== undefined);

/** Texts of the pattern's group on a page. */
function* found(pattern: RegExp): Generator<readonly [page: string, text: string]> {
  for (const [page, text] of pages) for (const [, hit = ""] of text.matchAll(pattern)) yield [page, hit];
}

const full = new Set(contributes.commands.map(({ category, title }) => `${category}: ${title}`));

test("messages of the code and descriptions of settings name commands by their titles", () => {
  let count = 0;
  for (const path of ["package.json", ...globSync("src/**/*.{ts,tsx}", { cwd: root })])
    for (const [, name = ""] of read(path).matchAll(/[“"*](Inference [A-Z][A-Za-z ]*: [^”"*\n]+)[”"*]/g)) {
      assert.ok(full.has(name), `${path}: there is no command "${name}"`);
      count += 1;
    }
  assert.ok(count > 5);
});

test("each named command is a title of the palette", () => {
  let count = 0;
  for (const [page, name] of found(/(?:\*\*|`)(Inference[A-Za-z ]*: [^*`\n]+)(?:\*\*|`)/g)) {
    assert.ok(full.has(name), `${page}: there is no command "${name}"`);
    count += 1;
  }
  assert.ok(count > 20);
  // The guide's own table leaves the category out.
  const [, table = ""] = read("media/docs/11-settings.md").split("\n## Commands");
  const rows = [...table.matchAll(/^\| ([A-Z][^|]*?) \|/gm)].map(([, title = ""]) => title);
  assert.ok(rows.length > 5);
  for (const title of rows)
    if (title !== "Command") assert.ok(titles.has(title), `there is no command "${title}"`);
  const hidden = new Set(
    contributes.menus.commandPalette.flatMap(({ command, when }) => (when === "false" ? [command] : [])),
  );
  for (const { command, title } of contributes.commands)
    if (!hidden.has(command)) assert.ok(rows.includes(title), `the guide does not list "${title}"`);
});

test("each setting and command named by its id exists", () => {
  const known = new Set<string>(
    [settings, commandSettings, commands].flatMap((ids): string[] => Object.values(ids)),
  );
  for (const [page, id] of found(/`(inference\.[a-z][A-Za-z]*\.[a-z][A-Za-z]*)`/g))
    assert.ok(known.has(id), `${page}: there is no ${id}`);
});

test("README has at most 150 lines; its links and pictures, and those of CONTRIBUTING, exist", () => {
  const readme = read("README.md");
  assert.ok(readme.split("\n").length <= 151, "README has more than 150 lines");
  const headings = (path: string) =>
    [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} -]/gu, "")
        .replaceAll(" ", "-"),
    );
  let count = 0;
  for (const page of ["README.md", "CONTRIBUTING.md"])
    for (const [, path = "", anchor] of read(page).matchAll(/\]\(([^)#:]+)(?:#([^)]*))?\)/g)) {
      assert.ok(existsSync(join(root, path)), `${page}: there is no ${path}`);
      if (anchor) assert.ok(headings(path).includes(anchor), `${page}: ${path} has no heading ${anchor}`);
      count += 1;
    }
  assert.ok(count > 20);
});

test("the guide says which routes the service calls beta or experimental", () => {
  const about = { augment: "16-web-and-documents", billing: "15-account" } as const;
  for (const [resource, page] of Object.entries(about))
    for (const { status } of Object.values(table[resource as keyof typeof about]) as readonly Endpoint[])
      if (status) assert.ok(read(`media/docs/${page}.md`).includes(status), `${page}: ${status}`);
});

test("each file and folder that CONTRIBUTING names exists", () => {
  let count = 0;
  for (const [, path = ""] of read("CONTRIBUTING.md").matchAll(/`((?:src|test|media)\/[\w./-]+)`/g)) {
    assert.ok(existsSync(join(root, path)), `there is no ${path}`);
    count += 1;
  }
  assert.ok(count > 15);
});

test("the first screen of README contains the set-up commands", () => {
  const first = read("README.md").split("\n").slice(0, 40).join("\n");
  const { version, scripts } = JSON.parse(read("package.json")) as {
    readonly version: string;
    readonly scripts: Readonly<Record<string, string>>;
  };
  for (const [, script = ""] of first.matchAll(/npm (?:run )?(start|test|package)\b/g))
    assert.ok(scripts[script], `there is no script ${script}`);
  for (const words of ["npm ci && npm start", "npm ci && npm test", `inference-workbench-${version}.vsix`])
    assert.ok(first.includes(words), words);
  assert.match(read(".ci/run"), /^npm ci\nnpm test$/m);
});

test("the guide uses the titles of the views, and README that of the tour", () => {
  const names = Object.values(contributes.views)
    .flat()
    .map(({ name }) => name);
  for (const name of names.filter((name) => name !== "Welcome"))
    assert.ok(guide.toLowerCase().includes(name.toLowerCase()), `the guide does not name the view "${name}"`);
  assert.ok(read("README.md").includes(tour?.title ?? ""));
});

test("the guide lists the models of the sandbox's catalog, without test models", () => {
  const [, section = ""] = read("media/docs/05-sandbox.md").split("\n## What its models can do\n");
  const rows = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([a-z-]+)` \|/gm)].map(
    ([, id = ""]) => id,
  );
  assert.deepEqual(
    rows,
    userModels.map(({ record }) => record.id),
  );
  const listed = new Set([
    ...userModels.map(({ record }) => record.id),
    ...otherModels("standard").map(({ id }) => id),
  ]);
  for (const { record } of testModels)
    for (const [page, body] of pages)
      if (!listed.has(record.id))
        assert.doesNotMatch(body, new RegExp(`\`${record.id}\``), `${page} names ${record.id}`);
});

test("numbers match the settings and the code", () => {
  const tokens = String(defaultOf(settings.sandboxTokensPerSecond));
  assert.match(read("media/docs/05-sandbox.md"), new RegExp(`\\b${tokens} tokens a second`));
  const seconds = String(defaultOf(settings.connectionTimeoutSeconds));
  assert.match(read("media/docs/10-troubleshooting.md"), new RegExp(`\\b${seconds} seconds`));
  const credits = String(defaultOf(settings.rpcAskAboveCredits));
  assert.match(read("media/docs/14-rpc-notebook.md"), new RegExp(`Above ${credits} credits a run asks`));
  const characters = limits.edit.toLocaleString("en");
  assert.match(read("media/docs/13-editor.md"), new RegExp(`\\s${characters}\\s+characters`));
  const price = `Each search, page and document costs ${formatUsd(augmentation.usd)}`;
  assert.ok(read("media/docs/16-web-and-documents.md").includes(price));
  const notebooks = readdirSync(join(root, "media/notebooks")).filter((name) =>
    name.endsWith(".rpc.md"),
  ).length;
  const words = ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  assert.ok(read("media/docs/14-rpc-notebook.md").includes(`has ${words[notebooks]} that run`));
});

function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** `ctrl+shift+enter` and `pagedown` as documentation spells them. */
function documentedKey(key: string): string {
  return key
    .split("+")
    .map((part) => part.replace(/^page(?=.)|^.|(?<=^page)./g, upper))
    .join("+");
}

test("each of our key bindings is documented under its name", () => {
  const all = pages.map(([, text]) => text).join("\n");
  for (const { command, key } of contributes.keybindings) {
    const name = documentedKey(key.replace(/ (\w)$/, (_, letter: string) => ` ${letter.toUpperCase()}`));
    assert.ok(all.includes(name), `${command}: nobody tells of ${name}`);
  }
});

test("the model picker is below the prompt, as the guide says", () => {
  const composer = read("src/chat/page/Composer.tsx");
  assert.ok(composer.indexOf("<ModelPicker") > composer.indexOf("<textarea"));
  for (const [page, text] of pages)
    assert.doesNotMatch(text, /(model|picker)[^.\n]{0,40} above the (prompt|box)/i, page);
});

test("prices in play money are not called free", () => {
  for (const [page, text] of pages)
    for (const line of text.split("\n"))
      assert.doesNotMatch(line, /\bfree\b[^.]*\$\d|\$\d[^.]*\bfree\b/i, `${page}: ${line}`);
});
