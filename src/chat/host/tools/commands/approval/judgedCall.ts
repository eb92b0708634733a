import * as vscode from "vscode";
import { readUserSetting } from "../../../../../platform/settings.ts";
import { settings } from "../../../../../shared/names/ids.ts";
import { inputText, type ToolInput } from "../../../../../tools/serviceTool.ts";
import type { ChatTool } from "../../tool.ts";
import type { CommandPlace } from "./commandPlace.ts";
import { isAllowedLine, type JudgedLine, judgeLine } from "./lineParts.ts";

/** What decides whether a call of a command runs unasked, by its input. */
export interface CallRules extends Required<Pick<ChatTool, "scopes" | "covers" | "alsoEdits">> {
  /** True if the patterns of the user's settings allow its line. A workspace can't set them. */
  isAllowed(input: ToolInput): boolean;
}

interface CallRulesDeps {
  /** Undefined without a folder. Throws for a call whose folder is none of the workspace. */
  readonly placeOf: (input: ToolInput) => CommandPlace | undefined;
  /** The end of each scope: what else the call asks for. */
  readonly suffix: (input: ToolInput) => string;
  /** True for a call that may run unasked if it only reads. */
  readonly isPlain: (input: ToolInput) => boolean;
}

/** A line that can't be judged always asks. Words of another shell than a POSIX one can't be. */
export function callRules({ placeOf, suffix, isPlain }: CallRulesDeps): CallRules {
  const judged = (input: ToolInput): JudgedLine | undefined => {
    if (process.platform === "win32") return undefined;
    try {
      const place = placeOf(input);
      return place && judgeLine(place, inputText(input, "command"));
    } catch {
      return undefined;
    }
  };
  return {
    scopes: (input) => judged(input)?.parts.map(({ scope }) => `${scope}${suffix(input)}`) ?? [],
    covers: (input) =>
      judged(input)?.parts.map(({ rule, reads }) => ({
        ...(rule === undefined ? {} : { rule: `${rule}${suffix(input)}` }),
        ...(reads && isPlain(input) && vscode.workspace.isTrusted ? { reads } : {}),
      })) ?? [],
    alsoEdits: (input) => judged(input)?.isWriting === true,
    isAllowed(input) {
      const patterns = readUserSetting(settings.chatAllowedCommands);
      const texts = Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string") : [];
      const line = judged(input);
      return line !== undefined && isAllowedLine(line, texts);
    },
  };
}
