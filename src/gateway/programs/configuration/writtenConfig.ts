import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { sha256 } from "../../../platform/sha256.ts";
import { isMembers, type Members, optionalMember, ownMember } from "../../../shared/members.ts";
import { ConfigFault, type ConfigFormat, type ConfigPath, type ConfigValue } from "./configFormat.ts";
import { applyEdits, type TextEdits } from "./textEdits.ts";

/** A member that a program needs; undefined if it must not be there. */
export interface ConfigMember {
  readonly path: ConfigPath;
  readonly value: ConfigValue;
}

const Member = z.object({
  path: z.array(z.string()),
  value: z.unknown().optional(),
  /** What was there; absent if nothing was. */
  before: z.unknown().optional(),
});
const Edit = z.object({
  offset: z.int().nonnegative(),
  length: z.int().nonnegative(),
  text: z.string(),
});

/** How what was written is taken back. It has of the file only what was replaced. */
export const WrittenConfig = z.object({
  /** SHA-256 of the text before; absent if there was no file. */
  before: z.string().optional(),
  /** SHA-256 of the text as it was written. */
  after: z.string(),
  /** Edits that lead from the written text to the one before. */
  undo: z.array(z.array(Edit)),
  members: z.array(Member),
  /** Tables that were not there before, the inner ones first. */
  made: z.array(z.array(z.string())),
});
export type WrittenConfig = z.infer<typeof WrittenConfig>;

const bom = "\uFEFF";

/**
 * The text with these members, and how they are taken back; `text` is undefined if there is no file. Everything else is as
 * it was, which is checked. Throws `ConfigFault`.
 */
export function writeMembers(
  format: ConfigFormat,
  text: string | undefined,
  members: readonly ConfigMember[],
): { readonly text: string; readonly written: WrittenConfig } {
  const [mark, body] = text?.startsWith(bom) ? [bom, text.slice(1)] : ["", text ?? ""];
  const old = format.read(body);
  const undo: TextEdits[] = [];
  let changed = body;
  for (const { path, value } of members) {
    const step = applyEdits(changed, format.set(changed, path, value));
    changed = step.text;
    checkReadable(format, changed);
    undo.unshift(step.undo);
  }
  if (!isAsExpected(old, format.read(changed), members)) throw otherForm();
  const written = {
    ...optionalMember("before", text === undefined ? undefined : sha256(text)),
    after: sha256(mark + changed),
    undo: undo.map((edits) => edits.map((edit) => ({ ...edit, offset: edit.offset + mark.length }))),
    members: members.map(({ path, value }) => ({
      path: [...path],
      value,
      ...optionalMember("before", valueAt(old, path)),
    })),
    made: tablesOf(members)
      .filter((path) => valueAt(old, path) === undefined)
      .map((path) => [...path]),
  };
  return { text: mark + changed, written };
}

/**
 * The text without what was written; undefined if there was no file before. If the text has changed since, only members
 * that are still as they were written are taken back. Throws `ConfigFault`.
 */
export function takeBack(format: ConfigFormat, text: string, written: WrittenConfig): string | undefined {
  if (sha256(text) === written.after) {
    const undone = written.undo.reduce((current, edits) => applyEdits(current, edits).text, text);
    return written.before === undefined ? undefined : undone;
  }
  const [mark, body] = text.startsWith(bom) ? [bom, text.slice(1)] : ["", text];
  let changed = body;
  for (const { path, value, before } of written.members) {
    if (isDeepStrictEqual(valueAt(format.read(changed), path), value))
      changed = applyEdits(changed, format.set(changed, path, before)).text;
  }
  for (const path of written.made) changed = applyEdits(changed, format.dropEmpty(changed, path)).text;
  format.read(changed);
  return mark + changed;
}

/** A text that these edits have broken is no fault of the user's file. */
function checkReadable(format: ConfigFormat, text: string): void {
  try {
    format.read(text);
  } catch {
    throw otherForm();
  }
}

function otherForm(): ConfigFault {
  return new ConfigFault("has these members in a form that is not changed here");
}

/** True if the members have their values, and nothing else differs. */
function isAsExpected(old: Members, now: Members, members: readonly ConfigMember[]): boolean {
  const others = (root: Members) => members.reduce((rest, { path }) => without(rest, path), root);
  return (
    members.every(({ path, value }) => isDeepStrictEqual(valueAt(now, path), value)) &&
    isDeepStrictEqual(others(old), others(now))
  );
}

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((value, name) => (isMembers(value) ? ownMember(value, name) : undefined), root);
}

/** A copy without the member at a path, and without the objects that have no other. */
function without(root: Members, [name = "", ...rest]: ConfigPath): Members {
  const value = ownMember(root, name);
  const { [name]: _, ...others } = root;
  if (rest.length === 0 || !isMembers(value)) return rest.length === 0 ? others : root;
  const inner = without(value, rest);
  return Object.keys(inner).length === 0 ? others : { ...others, [name]: inner };
}

/** The tables of these members, the inner ones first. */
function tablesOf(members: readonly ConfigMember[]): readonly ConfigPath[] {
  const paths = members.flatMap(({ path }) => path.slice(1).map((_, index) => path.slice(0, index + 1)));
  const known = new Map(paths.map((path) => [JSON.stringify(path), path]));
  return [...known.values()].sort((one, other) => other.length - one.length);
}
