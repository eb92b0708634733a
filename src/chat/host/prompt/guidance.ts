import { compileBraceGlob } from "../../../platform/search/rules/glob.ts";
import { messageOf } from "../../../shared/messageOf.ts";
import { looksSecret } from "../../../shared/secretFiles.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { CustomMode, GuidanceFile, InstructionFile, PromptFile } from "../../protocol/chatGuidance.ts";
import { toCustomMode } from "./customModes.ts";
import { headerList, headerText, type MarkdownFile, readMarkdownFile } from "./frontMatter.ts";
import { type GuidanceLayout, homePrefix, withinLimit } from "./homeGuidance.ts";
import { importedFiles } from "./importedFiles.ts";

/** Instructions for the files that a pattern matches. */
interface ScopedFile extends InstructionFile {
  /** `src/**`, as the file writes it. */
  readonly pattern: string;
  /** By the path below the folder of the workspace. */
  readonly isFor: (path: string) => boolean;
}

/** A file that the model reads if its description fits the task. */
interface ListedFile {
  readonly path: string;
  readonly kind: "skill" | "instructions";
  /** One line. */
  readonly name: string;
  readonly description: string;
}

/** The instructions, skills, modes and prompts in the files of a workspace and of the user. */
export interface Guidance {
  /** Sent whole, in this order. */
  readonly files: readonly InstructionFile[];
  /** Sent when a call names a file that they are for. */
  readonly scoped: readonly ScopedFile[];
  readonly listed: readonly ListedFile[];
  readonly modes: readonly (CustomMode & InstructionFile)[];
  readonly prompts: readonly PromptFile[];
  /** Files that could not be used, each with the reason. */
  readonly problems: readonly GuidanceFile[];
}

export const noGuidance: Guidance = {
  files: [],
  scoped: [],
  listed: [],
  modes: [],
  prompts: [],
  problems: [],
};

/** Reads files of the workspace, without the changes of agents that the user has not accepted. */
export interface GuidanceReader {
  /** Undefined if there is no such file. Rejects with a sentence if it must not be read or is too large. */
  read(path: string): Promise<string | undefined>;
  /** Names of the entries; those of folders end with `/`. Empty if there is no such folder. */
  list(path: string): Promise<readonly string[]>;
}

/** Where the files of a workspace folder are. `CLAUDE.local.md` is the user's own and in no repository. */
const workspaceLayout: GuidanceLayout = {
  whole: [
    "AGENTS.md",
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    ".github/copilot-instructions.md",
  ],
  instructions: [".github/instructions"],
  skills: [".agents/skills", ".claude/skills", ".github/skills"],
  modes: [
    [".github/agents", ".agent.md"],
    [".github/chatmodes", ".chatmode.md"],
  ],
  prompts: [".github/prompts"],
};
/** Files of a folder below, which are sent with the first call for a file below it. */
const nestedNames = ["AGENTS.md", "CLAUDE.md"];

/** Limits, in characters unless the name says otherwise. */
export const guidanceLimits = {
  /** Of one file that is sent whole. */
  file: 32_000,
  /** Of all of them. */
  allFiles: 64_000,
  /** Of one file that is sent with a call. */
  scoped: 16_000,
  /** Files that are sent with one round. */
  scopedCount: 5,
  description: 250,
  /** Of all names and descriptions. */
  listed: 6_000,
  prompt: 10_000,
  /** Files of each kind that are read. */
  count: 50,
} as const;

/** The user's own files: paths begin with `~/`. */
export interface HomeGuidance {
  readonly reader: GuidanceReader;
  readonly layout: GuidanceLayout;
}

/**
 * Reads the guidance of workspace folders by the prefixes of their paths: empty, or `name/` if there are several. The user's
 * own is read beside it.
 */
export async function readGuidance(
  reader: GuidanceReader,
  prefixes: readonly string[],
  home?: HomeGuidance,
): Promise<Guidance> {
  const [own, ...folders] = await Promise.all([
    home ? readFolder(new CarefulReader(home.reader), homePrefix, home.layout) : noGuidance,
    ...prefixes.map((prefix) => readFolder(new CarefulReader(reader), prefix, workspaceLayout)),
  ]);
  const found = joinedGuidance(own, {
    files: folders.flatMap(({ files }) => files),
    scoped: folders.flatMap(({ scoped }) => scoped),
    listed: folders.flatMap(({ listed }) => listed),
    modes: folders.flatMap(({ modes }) => modes),
    prompts: folders.flatMap(({ prompts }) => prompts),
    problems: folders.flatMap(({ problems }) => problems),
  });
  const { kept, problems } = withinLimit(found.files, guidanceLimits.allFiles);
  return { ...found, files: kept, problems: [...found.problems, ...problems] };
}

/**
 * The guidance of the user and that of the project, without what is in both: then the project's counts, which is nearer to the
 * task. What is sent whole begins with the user's, so that the project has the last word.
 */
function joinedGuidance(home: Guidance, project: Guidance): Guidance {
  const texts = new Set(project.files.map(({ text }) => text));
  const names = new Set(project.listed.map(({ name }) => name));
  const prompts = new Set(project.prompts.map(({ name }) => name));
  return {
    files: [...home.files.filter(({ text }) => !texts.has(text)), ...project.files],
    scoped: [...home.scoped, ...project.scoped],
    listed: [...project.listed, ...home.listed.filter(({ name }) => !names.has(name))],
    modes: [...project.modes, ...home.modes],
    prompts: [...project.prompts, ...home.prompts.filter(({ name }) => !prompts.has(name))],
    problems: [...project.problems, ...home.problems],
  };
}

/** The instructions in the folders above a path, the outermost first. Those of the workspace folder itself are sent anyway. */
export async function readNested(
  reader: GuidanceReader,
  prefix: string,
  path: string,
): Promise<readonly (InstructionFile & { readonly folder: string })[]> {
  const careful = new CarefulReader(reader);
  const parts = path.slice(prefix.length).split("/").slice(0, -1).slice(0, 20);
  const folders = parts.map((_, index) => `${prefix}${parts.slice(0, index + 1).join("/")}`);
  const found: (InstructionFile & { readonly folder: string })[] = [];
  for (const folder of folders)
    for (const file of await wholeFiles(careful, prefix, nestedNames, `${folder}/`))
      found.push({ ...file, text: bounded(file.text, guidanceLimits.scoped), folder });
  return found;
}

/** Collects the reasons for which files are not used. */
class CarefulReader {
  readonly problems: GuidanceFile[] = [];
  readonly #reader: GuidanceReader;

  constructor(reader: GuidanceReader) {
    this.#reader = reader;
  }

  /** Trimmed; undefined if the file is missing, empty or can't be used. */
  async read(path: string): Promise<string | undefined> {
    if (looksSecret(path)) return undefined;
    try {
      return (await this.#reader.read(path))?.trim() || undefined;
    } catch (error) {
      this.refuse(path, messageOf(error));
      return undefined;
    }
  }

  /** The files of a folder with this ending, in order of their names. */
  async named(folder: string, ending: string): Promise<readonly string[]> {
    const names = await this.#reader.list(folder).catch(() => []);
    const found = names.filter((name) => name.endsWith(ending)).sort();
    const { count } = guidanceLimits;
    if (found.length > count)
      this.refuse(`${folder}/${found[count]}`, `Only the first ${count} files of this folder are used.`);
    return found.slice(0, count).map((name) => `${folder}/${name}`);
  }

  /** The same of several folders. */
  async namedIn(folders: readonly string[], ending: string): Promise<readonly string[]> {
    return (await Promise.all(folders.map((folder) => this.named(folder, ending)))).flat();
  }

  /** A file with its header. */
  async readMarkdown(path: string): Promise<MarkdownFile | undefined> {
    const text = await this.read(path);
    const read = text === undefined ? undefined : readMarkdownFile(text);
    if (text !== undefined && !read) this.refuse(path, "Its header has no end: a line with --- is missing.");
    return read;
  }

  refuse(path: string, problem: string): void {
    this.problems.push({ path, kind: "problem", problem: visibleLine(problem).slice(0, 300) });
  }
}

async function readFolder(reader: CarefulReader, prefix: string, layout: GuidanceLayout): Promise<Guidance> {
  const at = (folder: string) => `${prefix}${folder}`;
  const [files, { whole, scoped, listed }, skills, modes, prompts] = await Promise.all([
    wholeFiles(reader, prefix, layout.whole),
    readScoped(reader, layout.instructions.map(at)),
    readSkills(reader, layout.skills.map(at)),
    readModes(
      reader,
      layout.modes.map(([folder, ending]) => [at(folder), ending]),
    ),
    readPrompts(reader, layout.prompts.map(at)),
  ]);
  return {
    files: [...files, ...whole],
    scoped,
    listed: [...skills, ...listed],
    modes,
    prompts,
    problems: reader.problems,
  };
}

/** The files, each followed by those that it imports. What was sent already, such as by a link, is left out. */
async function wholeFiles(
  reader: CarefulReader,
  prefix: string,
  names: readonly string[],
  folder = prefix,
): Promise<readonly InstructionFile[]> {
  const found: InstructionFile[] = [];
  const texts = new Set<string>();
  const root = prefix.replace(/\/$/, "");
  const paths = new Set(names.map((name) => `${folder}${name}`));
  const add = ({ path, text }: InstructionFile) => {
    if (texts.has(text)) return;
    texts.add(text);
    found.push({ path, text: bounded(text, guidanceLimits.file) });
  };
  for (const name of names) {
    const path = `${folder}${name}`;
    const text = await reader.read(path);
    if (text === undefined) continue;
    add({ path, text });
    if (!name.includes("CLAUDE")) continue;
    const imported = await importedFiles(
      { path, text },
      { paths, root, read: (other) => reader.read(other) },
    );
    for (const file of imported) add(file);
  }
  return found;
}

/** `.github/instructions`: for all files, for those of a pattern, or to be read if the description fits. */
async function readScoped(reader: CarefulReader, folders: readonly string[]) {
  const whole: InstructionFile[] = [];
  const scoped: ScopedFile[] = [];
  const listed: ListedFile[] = [];
  for (const path of await reader.namedIn(folders, ".instructions.md")) {
    const file = await reader.readMarkdown(path);
    if (!file) continue;
    const patterns = headerList(file.header, "applyTo") ?? [];
    const description = line(headerText(file.header, "description"), guidanceLimits.description);
    if (patterns.some((pattern) => /^(\*\*\/)?\*{1,2}$/.test(pattern)))
      whole.push({ path, text: bounded(file.body, guidanceLimits.file) });
    else if (patterns.length > 0)
      scoped.push({
        path,
        text: bounded(file.body, guidanceLimits.scoped),
        pattern: line(patterns.join(", "), 200),
        isFor: matcherOf(patterns),
      });
    else if (description !== "")
      listed.push({ path, kind: "instructions", name: nameOf(file, path), description });
  }
  return { whole: whole.filter(({ text }) => text !== ""), scoped, listed };
}

/** A pattern without a folder is for files of that name in any folder, as VS Code reads it. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns
    .slice(0, 50)
    .map((pattern) => (pattern.includes("/") ? pattern.replace(/^\.?\//, "") : `**/${pattern}`))
    .flatMap((pattern) => compileBraceGlob(pattern.slice(0, 500)) ?? []);
  return (path) => globs.some((glob) => glob(path));
}

async function readSkills(reader: CarefulReader, folders: readonly string[]): Promise<readonly ListedFile[]> {
  const skills: ListedFile[] = [];
  const names = new Set<string>();
  for (const found of await reader.namedIn(folders, "/")) {
    const path = `${found}SKILL.md`;
    const file = await reader.readMarkdown(path);
    if (!file) continue;
    const name = line(headerText(file.header, "name"), 64) || (found.split("/").at(-2) ?? "");
    const description = line(headerText(file.header, "description"), guidanceLimits.description);
    if (description === "") reader.refuse(path, "A skill needs a description in its header.");
    // The same skill may be there for several agents.
    else if (!names.has(name)) skills.push({ path, kind: "skill", name, description });
    names.add(name);
  }
  return skills;
}

async function readModes(
  reader: CarefulReader,
  folders: GuidanceLayout["modes"],
): Promise<Guidance["modes"]> {
  const paths = await Promise.all(folders.map(([folder, ending]) => reader.named(folder, ending)));
  const modes: (CustomMode & InstructionFile)[] = [];
  for (const path of paths.flat()) {
    const file = await reader.readMarkdown(path);
    const mode = file && toCustomMode(path, nameOf(file, path), file.header);
    if (mode) modes.push({ ...mode, path, text: bounded(file.body, guidanceLimits.file) });
  }
  return modes;
}

async function readPrompts(
  reader: CarefulReader,
  folders: readonly string[],
): Promise<readonly PromptFile[]> {
  const prompts: PromptFile[] = [];
  for (const path of await reader.namedIn(folders, ".prompt.md")) {
    const file = await reader.readMarkdown(path);
    const name = stemOf(path).replace(/[^\w-]+/g, "-");
    if (!file || file.body === "" || name === "" || prompts.some((one) => one.name === name)) continue;
    if (file.body.length > guidanceLimits.prompt) {
      reader.refuse(
        path,
        `A prompt may have at most ${guidanceLimits.prompt.toLocaleString("en")} characters.`,
      );
      continue;
    }
    const description = line(headerText(file.header, "description"), guidanceLimits.description);
    prompts.push({ name, path, description, text: file.body });
  }
  return prompts;
}

function nameOf({ header }: MarkdownFile, path: string): string {
  return line(headerText(header, "name"), 60) || line(stemOf(path), 60);
}

/** The name of a file without its endings. */
function stemOf(path: string): string {
  return (path.split("/").at(-1) ?? "").replace(/\.\w+\.md$/, "");
}

function line(text: string, maxLength: number): string {
  const plain = visibleLine(text.replace(/\s+/g, " ").trim());
  return plain.length <= maxLength ? plain : `${plain.slice(0, maxLength - 1)}…`;
}

function bounded(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}\n(cut here)`;
}
