import { relative } from "node:path";
import * as vscode from "vscode";
import { isBelow } from "../../../../../platform/files/bounded/placeInside.ts";
import { readUserSetting } from "../../../../../platform/settings.ts";
import { settings } from "../../../../../shared/names/ids.ts";
import { inputText, type ToolInput } from "../../../../../tools/serviceTool.ts";
import type { ChatTool } from "../../tool.ts";
import { changedFolder } from "../commandLine.ts";
import { type CommandPlace, placeAfter } from "./commandPlace.ts";
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

/** A line as its approvals see it, in the folder in which it runs. */
interface JudgedCall extends JudgedLine {
  readonly suffix: string;
  /** It changes into another folder than that of the call. */
  readonly isElsewhere: boolean;
}

/**
 * A line that can't be judged always asks. Words of another shell than a POSIX one can't be. `cd a && b` is the command `b` of a
 * call for the folder `a`.
 */
export function callRules({ placeOf, suffix, isPlain }: CallRulesDeps): CallRules {
  const judge = (input: ToolInput): JudgedCall | undefined => {
    const place = placeOf(input);
    const command = inputText(input, "command");
    const changed = changedFolder(command);
    const there = place && changed ? placeAfter(place, changed.path) : place;
    const line = there && judgeLine(there, changed?.rest ?? command);
    if (!line) return undefined;
    const call = changed ? { ...input, cwd: nameOf(there) } : input;
    return { ...line, suffix: suffix(call), isElsewhere: there.folder !== place?.folder };
  };
  const judged = (input: ToolInput): JudgedCall | undefined => {
    if (process.platform === "win32") return undefined;
    try {
      return judge(input);
    } catch {
      return undefined;
    }
  };
  return {
    scopes(input) {
      const call = judged(input);
      return call?.parts.map(({ scope }) => `${scope}${call.suffix}`) ?? [];
    },
    covers(input) {
      const call = judged(input);
      const mayRead = isPlain(input) && vscode.workspace.isTrusted;
      const parts = call?.parts ?? [];
      return parts.map(({ rule, reads }) => ({
        ...(rule === undefined ? {} : { rule: `${rule}${call?.suffix ?? ""}` }),
        ...(reads && mayRead ? { reads } : {}),
      }));
    },
    alsoEdits: (input) => judged(input)?.isWriting === true,
    isAllowed(input) {
      const patterns = readUserSetting(settings.chatAllowedCommands);
      const texts = Array.isArray(patterns) ? patterns.filter((one) => typeof one === "string") : [];
      const call = judged(input);
      return call !== undefined && !call.isElsewhere && isAllowedLine(call, texts);
    },
  };
}

/** The folder of a call as a model writes it: empty for the first one of the workspace. */
function nameOf({ folder, roots: [root = folder] }: CommandPlace): string {
  const path = relative(root, folder);
  return path === "" || isBelow(path) ? path : folder;
}
