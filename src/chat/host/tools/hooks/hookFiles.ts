import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { readInside } from "../../../../platform/files/bounded/readInside.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { readFollowed } from "../../../../tools/mcp/client/config/userFile.ts";
import { type HookFile, type ReadHooks, readHookFile } from "./hookFile.ts";

/** Where a workspace has its hooks, and the user below the home folder, as for the editor. */
const hookFolder = ".github/hooks";
const ownFolder = ".copilot/hooks";

const [mostFiles, maxBytes] = [50, 256 * 1024];

/** The open folders with their hooks. All paths are absolute. */
export interface HookPlaces {
  readonly folders: readonly string[];
  /** The home folder of the user. */
  readonly home: string;
  readonly isTrusted: boolean;
}

/** The hooks of the folders and of the user, in this order. Without trust there are none. Never rejects. */
export async function readHookFiles({ folders, home, isTrusted }: HookPlaces): Promise<ReadHooks> {
  const read: ReadHooks[] = [];
  for (const folder of folders) read.push(await readWorkspaceHooks(folder, isTrusted));
  if (isTrusted) read.push(await readOwnHooks(home, folders[0] ?? home));
  return {
    hooks: read.flatMap(({ hooks }) => hooks),
    problems: read.flatMap(({ problems }) => problems),
  };
}

async function readWorkspaceHooks(folder: string, isTrusted: boolean): Promise<ReadHooks> {
  const names = await hookNames(join(folder, hookFolder));
  if (names.length === 0) return { hooks: [], problems: [] };
  if (!isTrusted) return { hooks: [], problems: [`Trust this workspace to run the hooks of ${hookFolder}.`] };
  return joined(names, hookFolder, async (label, name) => {
    const read = await readInside(`${hookFolder}/${name}`, [folder], [folder], maxBytes);
    if ("failure" in read) return undefined;
    return readHookFile(read.text, { label, path: read.file, folder, isOwn: false }, process.platform);
  });
}

/** The user may have linked the files. They run in the first folder. */
async function readOwnHooks(home: string, folder: string): Promise<ReadHooks> {
  const names = await hookNames(join(home, ownFolder));
  return joined(names, `~/${ownFolder}`, async (label, name) => {
    const path = join(home, ownFolder, name);
    const text = await readFollowed(path, maxBytes);
    const file: HookFile = { label, path, folder, isOwn: true };
    return text === undefined ? undefined : readHookFile(text, file, process.platform);
  });
}

async function hookNames(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => name.endsWith(".json")).sort();
}

/** `read` returns undefined for a file that can't be read. */
async function joined(
  names: readonly string[],
  folder: string,
  read: (label: string, name: string) => Promise<ReadHooks | undefined>,
): Promise<ReadHooks> {
  const files: ReadHooks[] = [];
  for (const name of names.slice(0, mostFiles)) {
    const label = `${folder}/${visibleLine(shortened(name, 100))}`;
    const problem = `${label} is no file of the folder of at most 256 KB, so its hooks are not run.`;
    files.push((await read(label, name)) ?? { hooks: [], problems: [problem] });
  }
  const more = names.length - mostFiles;
  return {
    hooks: files.flatMap(({ hooks }) => hooks),
    problems: [
      ...files.flatMap(({ problems }) => problems),
      ...(more > 0 ? [`${folder} has more than ${mostFiles} files. The hooks of ${more} are not run.`] : []),
    ],
  };
}
