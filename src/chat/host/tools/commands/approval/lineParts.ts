import { pipelinesOf, quotedWords, type SimpleCommand } from "../commandLine.ts";
import { type CommandPlace, isReadableName, isWritable, nowhere } from "./commandPlace.ts";
import { ruleOf } from "./commandRules.ts";
import { isFilter, readingCommand } from "./readingCommand.ts";

/** A part of a line that is approved by itself. */
interface LinePart {
  /** The key of an approval: its words as a shell reads them. */
  readonly scope: string;
  /** A wider key that covers it, such as `npm run *`. */
  readonly rule?: string;
  /** Of a part that does nothing but read files of the workspace: whether that holds on the disk now. */
  readonly reads?: () => Promise<boolean>;
  /** The commands that must be allowed; undefined if words alone don't say what it does. */
  readonly commands?: readonly (readonly string[])[];
}

/** A line whose parts run one after the other, or some of them. */
export interface JudgedLine {
  readonly parts: readonly LinePart[];
  /** True if a redirection writes a file of the workspace. */
  readonly isWriting: boolean;
}

/**
 * A line as its approvals see it: a part for each pipeline, because an approval of `A` and one of `B` allow `A && B`, and don't
 * allow `A | B`. Redirections to files that an edit may write unasked, and programs at the end of a pipe that only read it, are no
 * part of a key. Undefined if the line can't be judged, or opens another file: then it always asks.
 */
export function judgeLine(place: CommandPlace, line: string): JudgedLine | undefined {
  const pipelines = pipelinesOf(line);
  const files = pipelines?.flat().flatMap((command) => command.files) ?? [];
  if (!pipelines || !files.every(({ operator, path }) => mayOpen(place, operator, path))) return undefined;
  return {
    parts: pipelines.map((commands) => partOf(place, commands)),
    isWriting: files.some(({ operator, path }) => operator !== "<" && path !== nowhere),
  };
}

function mayOpen(place: CommandPlace, operator: "<" | ">" | ">>", path: string): boolean {
  if (path === nowhere) return true;
  return operator === "<" ? isReadableName(place, path) : isWritable(place, path);
}

function partOf(place: CommandPlace, commands: readonly SimpleCommand[]): LinePart {
  const [first, ...others] = commands;
  const scope = commands.map(keyOf).join(" | ");
  const words = commands.map((command) => command.words);
  const readings = commands.map((command, index) =>
    index > 0 && isFilter(place, command) ? { holds: async () => true } : readingCommand(place, command),
  );
  if (readings.every((reading) => reading !== undefined))
    return { scope, commands: words, reads: () => allHold(readings) };
  // What a program reads from its input may be what it runs.
  const isFed = first === undefined || first.files.some(({ operator }) => operator === "<");
  if (isFed) return { scope };
  if (!others.every((command) => isFilter(place, command))) return { scope, commands: words };
  const rule = ruleOf(place, first.words);
  return {
    scope: keyOf(first),
    commands: [first.words],
    ...(rule === undefined ? {} : { rule }),
  };
}

async function allHold(readings: readonly { holds(): Promise<boolean> }[]): Promise<boolean> {
  for (const { holds } of readings) if (!(await holds())) return false;
  return true;
}

/** Files that it writes are left out: any may be written. */
function keyOf({ words, files }: SimpleCommand): string {
  const inputs = files.flatMap(({ operator, path }) =>
    operator === "<" ? [`< ${quotedWords([path])}`] : [],
  );
  return [quotedWords(words), ...inputs].join(" ");
}

/**
 * True if each command of a line is one of the patterns: the exact words, or these words and any after them if the pattern
 * ends with ` *`. No further word may be an option (`-x`, or `+x` of an editor), a list of options in a file (`@x`) or a
 * value of a name (`SHELL=x` of make), because these make many programs write files or run others.
 */
export function isAllowedLine({ parts }: JudgedLine, patterns: readonly string[]): boolean {
  const allowed = patterns.map((pattern) => {
    const isOpen = / \*[ \t\n]*$/.test(pattern);
    const [pipeline, ...more] = pipelinesOf(isOpen ? pattern.replace(/ \*[ \t\n]*$/, "") : pattern) ?? [];
    const [command, ...fed] = pipeline ?? [];
    const isSingle = more.length === 0 && fed.length === 0 && command?.files.length === 0;
    return isSingle ? { words: command.words, isOpen } : undefined;
  });
  return parts.every(({ commands }) =>
    commands?.every((words) =>
      allowed.some((pattern) => {
        if (!pattern?.words.every((word, index) => word === words[index])) return false;
        const more = words.slice(pattern.words.length);
        return more.length === 0 || (pattern.isOpen && !more.some((word) => /^[-+@]|=/.test(word)));
      }),
    ),
  );
}
