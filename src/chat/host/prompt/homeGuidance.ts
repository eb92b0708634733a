import type { GuidanceFile, InstructionFile } from "../../protocol/chatGuidance.ts";

/** Where files with guidance are. Folders and files are relative to a workspace folder, or to the home folder. */
export interface GuidanceLayout {
  /** Files that are sent whole, in this order. */
  readonly whole: readonly string[];
  /** Folders with `*.instructions.md`. */
  readonly instructions: readonly string[];
  readonly skills: readonly string[];
  /** Folders with the endings of modes. */
  readonly modes: readonly (readonly [folder: string, ending: string])[];
  /** Folders with `*.prompt.md`. */
  readonly prompts: readonly string[];
}

/** The folder that paths of the user's own files begin with. */
export const homePrefix = "~/";

/**
 * The user's own files, where Codex, Claude Code and Copilot have them. `editor`: the folder in which the editor keeps the
 * user's prompts, instructions and modes, below the home folder.
 */
export function homeLayout(editor: string | undefined): GuidanceLayout {
  const ofEditor = editor === undefined ? [] : [editor];
  return {
    whole: [".codex/AGENTS.md", ".claude/CLAUDE.md", ".copilot/copilot-instructions.md"],
    instructions: [".copilot/instructions", ...ofEditor],
    skills: [".agents/skills", ".claude/skills", ".copilot/skills"],
    modes: [
      [".copilot/agents", ".agent.md"],
      ...ofEditor.flatMap((folder) => [[folder, ".agent.md"] as const, [folder, ".chatmode.md"] as const]),
    ],
    prompts: ofEditor,
  };
}

/** True for a file of the user, which is in no workspace. */
export function isHomePath(path: string): boolean {
  return path.startsWith(homePrefix);
}

/** Files that are sent whole, as far as they fit: those of the project take precedence. */
export function withinLimit(
  files: readonly InstructionFile[],
  maxLength: number,
): { readonly kept: readonly InstructionFile[]; readonly problems: readonly GuidanceFile[] } {
  const kept = new Set<InstructionFile>();
  const problems: GuidanceFile[] = [];
  let length = 0;
  const isHome = ({ path }: InstructionFile) => isHomePath(path);
  for (const file of [...files.filter((one) => !isHome(one)), ...files.filter(isHome)]) {
    length += file.text.length;
    if (length <= maxLength) kept.add(file);
    else
      problems.push({
        path: file.path,
        kind: "problem",
        problem: `Not sent: with it the instructions are longer than ${maxLength.toLocaleString("en")} characters.`,
      });
  }
  return { kept: files.filter((file) => kept.has(file)), problems };
}
