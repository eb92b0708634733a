import { readFile, stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { messageOf } from "../../shared/messageOf.ts";
import { envFileEnding, isEnvironmentName, type Variable } from "../language/environment/envFile.ts";
import type { Environments } from "../language/environment/environments.ts";
import { readAbiFile } from "../run/inputs/readAbiFile.ts";
import { type HeadlessNotebook, type NotebookSource, openNotebook } from "./openNotebook.ts";
import { readEnvironments } from "./variables.ts";

/** A mistake in the arguments, the environment or a file; found before anything is sent. */
export class UsageError extends Error {}

interface NotebookOptions extends Pick<NotebookSource, "network"> {
  readonly files: readonly string[];
  /** Variables of `--env` and of the process. */
  readonly given: ReadonlyMap<string, Variable>;
  /** The environment of all cells that don't name one; as in the picker of a notebook, in place of its front matter. */
  readonly environment: string | undefined;
}

/** Reads and parses notebooks, with `network` for all their cells. Throws UsageError. */
export async function openNotebooks(options: NotebookOptions): Promise<readonly HeadlessNotebook[]> {
  const { environment } = options;
  if (environment !== undefined && !isEnvironmentName(environment))
    throw new UsageError(
      `--environment must be the name of a file NAME${envFileEnding}, of letters, digits, _ and -, not "${environment}".`,
    );
  const notebooks = new Map<string, HeadlessNotebook>();
  for (const file of options.files) {
    const path = resolve(file);
    // It would be paid twice.
    if (notebooks.has(path)) throw new UsageError(`${file} is named twice.`);
    notebooks.set(path, await openNotebook(await readSource(file, options)));
  }
  const opened = [...notebooks.values()];
  // Otherwise a wrong file would count as passed.
  const empty = opened.find(({ project }) => project.cells.length === 0);
  if (empty) throw new UsageError(`${empty.file} has no cell with requests.`);
  return opened;
}

/** A notebook is text that people write. */
const maxFileBytes = 20_000_000;

async function readSource(
  file: string,
  { network, given, environment }: NotebookOptions,
): Promise<NotebookSource> {
  const path = resolve(file);
  const bytes = await sized(path).catch((error: unknown) => {
    throw new UsageError(`${file} can't be read: ${messageOf(error)}`);
  });
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UsageError(`${file} can't be read: it is not UTF-8 text.`);
  }
  const [here, folder] = [process.cwd(), dirname(path)];
  const isBelow = !relative(here, folder).startsWith("..");
  const roots = isBelow ? [here] : [folder, here];
  return {
    file,
    text,
    network,
    readAbi: (abi) => readAbiFile(abi, [folder, here], roots),
    async readEnvironments(project, head) {
      const environments = await readEnvironments(project, environment ?? head, path, given);
      if (environment !== undefined) checkChosen(file, environment, environments);
      return environments;
    },
  };
}

/** An environment of an argument must exist, even if no cell uses a variable of it. */
function checkChosen(notebook: string, environment: string, { files, offered }: Environments): void {
  const found = files.get(environment);
  if (!found || !("problem" in found)) return;
  const known = offered.length > 0 ? offered.join(", ") : "none";
  throw new UsageError(
    `--environment ${environment} can't be used for ${notebook}. ${found.problem}. Environments that are there: ${known}.`,
  );
}

async function sized(path: string): Promise<Uint8Array> {
  const found = await stat(path);
  if (found.isDirectory()) throw new Error("it is a folder");
  // A pipe or a device may never end.
  if (!found.isFile()) throw new Error("it is no regular file");
  const { size } = found;
  if (size > maxFileBytes) throw new Error(`it has more than ${maxFileBytes / 1_000_000} MB`);
  return readFile(path);
}
