import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryPlaces } from "../../../platform/files/durable/durableFile.ts";
import { optionalMember } from "../../../shared/members.ts";
import { ConfigFault } from "./configFormat.ts";
import { type ConfigAddress, type ConfigPlaces, checkOthers, type ProgramConfig } from "./programConfig.ts";
import { readUserFile, type UserFile, writeUserFile } from "./userFile.ts";
import type { WrittenBook, WrittenFile } from "./writtenBook.ts";
import { takeBack, writeMembers } from "./writtenConfig.ts";

/** A change of a user's file, to be shown before it is made. */
export interface ConfigChange {
  /** Absolute path without links. */
  readonly path: string;
  /** Undefined if there is no file, or none after the change. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** False with nothing written if the file has changed since: plan it again. */
  make(): Promise<boolean>;
}

/** What changes configurations: the record of what was written, and where temporary files are. */
export interface ConfigWriter {
  readonly book: WrittenBook;
  readonly temporary: TemporaryPlaces;
}

/** The file in which a program finds its configuration. */
export async function configFileOf(config: ProgramConfig, places: ConfigPlaces): Promise<UserFile> {
  const paths = config.files(places);
  for (const path of paths.slice(0, -1)) {
    const found = await readUserFile(path);
    if (found.text !== undefined) return found;
  }
  return readUserFile(paths.at(-1) ?? "");
}

/** Writes what a program needs. What was written before is taken back first. Throws a `Refusal`. */
export async function planWrite(
  { book, temporary }: ConfigWriter,
  program: { readonly name: string; readonly config: ProgramConfig },
  address: ConfigAddress,
  places: ConfigPlaces,
): Promise<ConfigChange> {
  const { name, config } = program;
  const { path, text } = await configFileOf(config, places);
  return inFile(path, async () => {
    const earlier = await book.of(path);
    const clean = text !== undefined && earlier ? takeBack(config.format, text, earlier.written) : text;
    if (clean !== undefined) checkOthers(config, config.format.read(clean.replace(/^\uFEFF/, "")), path);
    const members = config.members(address, places);
    const { text: after, written } = writeMembers(config.format, clean, members);
    const { model, contextTokens, answerTokens } = address;
    const sizes = {
      ...optionalMember("contextTokens", contextTokens),
      ...optionalMember("answerTokens", answerTokens),
    };
    const file = { program: name, path, model, ...sizes, written };
    return {
      path,
      before: text,
      after,
      make: () =>
        replaced({ path, before: text, after, temporary }, async (write) => {
          // First, so that nothing is written that could not be taken back.
          await book.add(file);
          await write().catch(async (error: unknown) => {
            await (earlier ? book.add(earlier) : book.remove(path));
            throw error;
          });
        }),
    };
  });
}

/** Takes back what was written. Throws a `Refusal`. */
export async function planTakeBack(
  { book, temporary }: ConfigWriter,
  config: ProgramConfig,
  { path, written }: WrittenFile,
): Promise<ConfigChange> {
  const { path: real, text } = await readUserFile(path);
  if (real !== path) throw new Refusal(`${path} is a link now. Change it by hand. Nothing was written.`);
  return inFile(path, async () => {
    const after = text === undefined ? undefined : takeBack(config.format, text, written);
    return {
      path,
      before: text,
      after,
      make: () =>
        replaced({ path, before: text, after, temporary }, async (write) => {
          await write();
          await book.remove(path);
        }),
    };
  });
}

async function replaced(
  {
    path,
    before,
    after,
    temporary,
  }: Pick<ConfigChange, "path" | "before" | "after"> & { readonly temporary: TemporaryPlaces },
  run: (write: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const now = await readUserFile(path);
  if (now.text !== before || now.path !== path) return false;
  await run(() => writeUserFile(path, after, temporary));
  return true;
}

/** Names the file and the line of a fault. */
async function inFile<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const where = error.line === undefined ? path : `${path}, line ${error.line},`;
    throw new Refusal(`${where} ${error.message}. Mend it first. Nothing was written.`);
  }
}
