import { isUtf8 } from "node:buffer";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Refusal } from "../../platform/errors/refusal.ts";
import { placeInside } from "../../platform/files/bounded/placeInside.ts";
import { formatBytes } from "../../shared/chat/chatAttachments.ts";
import { looksSecret } from "../../shared/secretFiles.ts";
import type { WorkspaceFiles } from "./workspaceFiles.ts";

/** Folders with the user's own skills, below the home folder, as agents have agreed on them. */
const homeSkillFolders = [".agents/skills", ".claude/skills", ".copilot/skills"] as const;

interface Known {
  /** Changes with the file. */
  readonly key: string;
  readonly text: string;
}

/**
 * The user's own files for agents. Paths begin with `~/` and stand for files below the home folder. A link is followed, as the
 * user has made it; one in the folder of a skill, which may be of somebody else, must stay in that folder.
 */
export class HomeFiles {
  readonly #home: string;
  readonly #known = new Map<string, Known>();

  /** `home`: an absolute path. */
  constructor(home: string) {
    this.#home = home;
  }

  /** `~/…` for an absolute path below the home folder; undefined for others. */
  nameOf(absolute: string): string | undefined {
    const below = relative(this.#home, absolute);
    const isBelow = below !== "" && below !== ".." && !below.startsWith(`..${sep}`) && below !== absolute;
    return isBelow ? `~/${below.replaceAll(sep, "/")}` : undefined;
  }

  /** `~/…` for a path in the folder of a skill, as a model writes it; undefined for others. */
  skillPath(given: string): string | undefined {
    const path = given.startsWith("~/") ? given : this.nameOf(given);
    const parts = path?.split("/").filter((part) => part !== "" && part !== ".") ?? [];
    const isSkill = homeSkillFolders.some((folder) => parts.slice(1, 3).join("/") === folder);
    return isSkill && parts.length > 3 && isPlain(parts) ? parts.join("/") : undefined;
  }

  /** The absolute path of a file or folder. */
  absolute(path: string): string {
    const [, ...parts] = path.split("/");
    if (!path.startsWith("~/") || !isPlain(parts)) throw new Refusal(`${path} is not in the home folder.`);
    return join(this.#home, ...parts);
  }

  /** The absolute path after links; undefined if there is no such file. Rejects with a Refusal if it must not be read. */
  async place(path: string): Promise<string | undefined> {
    const absolute = this.absolute(path);
    const real = await realpath(absolute).catch(() => undefined);
    if (real === undefined) return undefined;
    if ([path, real].some(looksSecret)) throw new Refusal(`${path} looks like a file of keys or passwords.`);
    const [, vendor, kind, name] = path.split("/");
    const isOfSkill = homeSkillFolders.some((folder) => folder === `${vendor}/${kind}`) && name !== undefined;
    const folder = isOfSkill ? this.absolute(`~/${vendor}/${kind}/${name}`) : undefined;
    if (folder !== undefined && (await placeInside([folder], absolute)) === undefined)
      throw new Refusal(`${path} is a link that leads out of its skill.`);
    return real;
  }

  /**
   * The text of a file; undefined if there is none. A file that has not changed is not read again. Rejects with a Refusal for
   * a larger file, and for one that is no text in UTF-8.
   */
  async readText(path: string, maxBytes: number): Promise<string | undefined> {
    const absolute = this.absolute(path);
    const found = await stat(absolute).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const key = [found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs].join(" ");
    const known = this.#known.get(path);
    if (known?.key === key) return known.text;
    const bytes = await this.readBytes(path, maxBytes);
    if (bytes === undefined) return undefined;
    if (!isUtf8(bytes) || bytes.includes(0)) throw new Refusal(`${path} is no text in UTF-8.`);
    const text = new TextDecoder().decode(bytes);
    this.#known.set(path, { key, text });
    return text;
  }

  /** The bytes of a file; undefined if there is none. Rejects with a Refusal for a larger one. */
  async readBytes(path: string, maxBytes: number): Promise<Uint8Array | undefined> {
    const place = await this.place(path);
    const found = place === undefined ? undefined : await stat(place).catch(() => undefined);
    if (place === undefined || !found?.isFile()) return undefined;
    if (found.size > maxBytes)
      throw new Refusal(`${path} was not read whole: it is larger than ${formatBytes(maxBytes)}.`);
    return readFile(place);
  }

  /** Names of the entries in order; those of folders end with `/`. Undefined if there is no such folder. */
  async list(path: string): Promise<readonly string[] | undefined> {
    const place = await this.place(path);
    const entries =
      place === undefined ? undefined : await readdir(place, { withFileTypes: true }).catch(() => undefined);
    if (place === undefined || !entries) return undefined;
    const names = entries.map(async (entry) => {
      const isFolder = entry.isSymbolicLink()
        ? await stat(join(place, entry.name)).then(
            (found) => found.isDirectory(),
            () => false,
          )
        : entry.isDirectory();
      return isFolder ? `${entry.name}/` : entry.name;
    });
    return (await Promise.all(names)).sort();
  }
}

/** The files of the workspace, and those of the user's own skills, which nothing writes. */
export function withHomeSkills(files: WorkspaceFiles, home: HomeFiles | undefined): WorkspaceFiles {
  if (!home) return files;
  const found = <Value>(path: string, value: Value | undefined): Value => {
    if (value === undefined) throw new Refusal(`There is no file ${path}.`);
    return value;
  };
  return {
    ...files,
    async read(path, maxBytes) {
      const skill = home.skillPath(path);
      return skill === undefined
        ? files.read(path, maxBytes)
        : found(skill, await home.readBytes(skill, maxBytes));
    },
    async readText(path, maxBytes) {
      const skill = home.skillPath(path);
      return skill === undefined
        ? files.readText(path, maxBytes)
        : found(skill, await home.readText(skill, maxBytes));
    },
    async look(path) {
      const skill = home.skillPath(path);
      if (skill === undefined) return files.look(path);
      if (await home.list(skill)) throw new Refusal(`${skill} is a folder: list_files shows what is in it.`);
      const bytes = found(skill, await home.readBytes(skill, maxSkillBytes));
      return { size: bytes.byteLength, head: bytes.subarray(0, headBytes) };
    },
    async list(path) {
      const skill = home.skillPath(path);
      return skill === undefined
        ? files.list(path)
        : { names: found(skill, await home.list(skill)), leftOut: 0 };
    },
  };
}

/** Of a file of a skill, which is held in memory. */
const maxSkillBytes = 4 * 1024 * 1024;
const headBytes = 8_192;

function isPlain(parts: readonly string[]): boolean {
  return parts.every((part) => part !== ".." && !part.includes("\\") && !part.includes("\0"));
}
