import { Refusal } from "../../../platform/errors/refusal.ts";
import { type Members, optionalMember } from "../../../shared/members.ts";
import type { TextEdits } from "./textEdits.ts";

/** What a member of a configuration can be here; undefined if it is not there. */
export type ConfigValue =
  | string
  | number
  | readonly string[]
  | { readonly [name: string]: ConfigValue }
  | undefined;
export type ConfigPath = readonly string[];

/** A format of configurations. What it does not change keeps each of its bytes: order, comments and spaces. */
export interface ConfigFormat {
  /** All members. Throws `ConfigFault`. */
  read(text: string): Members;
  /** Gives a member this value, or removes it. Throws `ConfigFault` if the text says it in a form that is not changed. */
  set(text: string, path: ConfigPath, value: unknown): TextEdits;
  /** Removes a table that has no member and no comment. */
  dropEmpty(text: string, path: ConfigPath): TextEdits;
}

/** Why a configuration can't be read or changed. The message is a part of a sentence, without the name of its file. */
export class ConfigFault extends Refusal {
  /** Counted from 1. */
  readonly line?: number;

  constructor(message: string, line?: number) {
    super(message);
    Object.assign(this, optionalMember("line", line));
  }
}
