import { isMembers, type Members, membersOf, optionalMember, ownMember } from "../../../../shared/members.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened, shortList } from "../../../../shared/text/shortened.ts";

/** The events at which hooks run. */
const hookEvents = ["PreToolUse", "PostToolUse", "Stop"] as const;
export type HookEvent = (typeof hookEvents)[number];

/** A file with hooks. */
export interface HookFile {
  /** `.github/hooks/format.json`, or `~/.copilot/hooks/format.json` for one of the user. */
  readonly label: string;
  /** Absolute. */
  readonly path: string;
  /** The folder in which its hooks run, absolute. */
  readonly folder: string;
  /** It is the user's own, and in no workspace. */
  readonly isOwn: boolean;
}

/** A command that runs at an event. */
export interface Hook {
  readonly event: HookEvent;
  readonly command: string;
  /** The program that runs the command; undefined for the default shell of the system. */
  readonly shell?: "bash" | "powershell";
  /** As the file has it: relative to the folder of the file. */
  readonly cwd?: string;
  /** Variables beside those of the window. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly file: HookFile;
}

export interface ReadHooks {
  readonly hooks: readonly Hook[];
  /** Sentences. */
  readonly problems: readonly string[];
}

/** Seconds that a hook may take: what the editor takes without a number, and the most. */
const [usualSeconds, mostSeconds] = [30, 600];
/** Of the command with its variables: all of it is shown to the user, and each word may name a file. */
const maxLength = 4_000;
const mostHooks = 50;

/** Events of the Copilot CLI that have another name in the editor. */
const otherNames = new Map([["AgentStop", "Stop"]]);

/** The hooks of a file for a system, or sentences that name its faults. A hook with a fault is left out alone. */
export function readHookFile(text: string, file: HookFile, system: NodeJS.Platform): ReadHooks {
  const wrong = (what: string): ReadHooks => ({ hooks: [], problems: [`${file.label} ${what}.`] });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "unreadable";
    return wrong(`is not JSON, so its hooks are not run: ${visibleLine(shortened(why, 200))}`);
  }
  const { hooks: events, disableAllHooks } = membersOf(value);
  if (disableAllHooks === true) return { hooks: [], problems: [] };
  if (!isMembers(events)) return wrong("has no object hooks, so it has no hooks");
  const read = Object.entries(events).map(([name, entries]) => readEvent(name, entries, file, system));
  const hooks = read.flatMap((one) => one.hooks);
  const others = Object.keys(events).filter((name) => eventOf(name) === undefined);
  return {
    hooks: hooks.slice(0, mostHooks),
    problems: [
      ...read.flatMap(({ problems }) => problems),
      ...(hooks.length > mostHooks
        ? [`${file.label} has more than ${mostHooks} hooks. The rest are not run.`]
        : []),
      ...(others.length > 0 ? [notRunAt(others, file)] : []),
    ],
  };
}

function notRunAt(names: readonly string[], { label }: HookFile): string {
  const shown = visibleLine(
    shortList(
      names.map((name) => shortened(name, 40)),
      5,
    ),
  );
  return `${label} has hooks at ${shown}, which are not run here: hooks run at ${hookEvents.join(", ")}.`;
}

/** The event that a file or a hook calls so: the Copilot CLI begins the names with a small letter. */
export function eventOf(name: string): HookEvent | undefined {
  const usual = name.charAt(0).toUpperCase() + name.slice(1);
  return hookEvents.find((event) => event === (otherNames.get(usual) ?? usual));
}

function readEvent(name: string, entries: unknown, file: HookFile, system: NodeJS.Platform): ReadHooks {
  const event = eventOf(name);
  if (event === undefined) return { hooks: [], problems: [] };
  if (!Array.isArray(entries))
    return { hooks: [], problems: [`${file.label}: ${event} is no list of hooks.`] };
  // Claude Code has groups with a matcher, which the editor does not look at: they run for all tools.
  const each = entries.flatMap((entry: unknown): unknown[] => {
    const { hooks: group } = membersOf(entry);
    return Array.isArray(group) ? group : [entry];
  });
  const read = each.map((entry) => readEntry(membersOf(entry), event, file, system));
  return {
    hooks: read.flatMap((one) => (typeof one === "string" ? [] : [one])),
    problems: read.flatMap((one, index) =>
      typeof one === "string" ? [`${file.label}: the hook ${index + 1} of ${event} is not run: ${one}.`] : [],
    ),
  };
}

/** The hook, or what is wrong with it. */
function readEntry(entry: Members, event: HookEvent, file: HookFile, system: NodeJS.Platform): Hook | string {
  const { type, cwd, env = {}, timeout, timeoutSec } = entry;
  if (type !== "command") return 'its type is not "command"';
  const found = commandOf(entry, system);
  if (found === undefined) return "it has no command for this system";
  if (cwd !== undefined && (typeof cwd !== "string" || cwd.includes("\0"))) return "its cwd is no path";
  const variables = readVariables(env);
  if (typeof variables === "string") return variables;
  if (found.command.length + JSON.stringify(variables).length > maxLength)
    return `its command and its env are longer than ${maxLength.toLocaleString("en")} characters`;
  const seconds = timeout ?? timeoutSec ?? usualSeconds;
  if (typeof seconds !== "number" || !(seconds > 0)) return "its timeout is no number of seconds";
  return {
    ...{ event, file, env: variables, ...found },
    ...optionalMember("cwd", cwd),
    timeoutMs: Math.min(seconds, mostSeconds) * 1000,
  };
}

const systemNames: Readonly<Record<string, string>> = { win32: "windows", darwin: "osx" };

/** That of the system before that for all; `bash` and `powershell` are what the Copilot CLI calls them. */
function commandOf(entry: Members, system: NodeJS.Platform): Pick<Hook, "command" | "shell"> | undefined {
  const shell = system === "win32" ? "powershell" : "bash";
  const candidates = [[systemNames[system] ?? "linux"], [shell, shell], ["command"]] as const;
  for (const [name, by] of candidates) {
    const command = ownMember(entry, name);
    if (typeof command === "string" && command.trim() !== "" && !command.includes("\0"))
      return { command, ...optionalMember("shell", by) };
  }
  return undefined;
}

function readVariables(env: unknown): Hook["env"] | string {
  if (!isMembers(env)) return "its env is no object";
  const pairs = Object.entries(env);
  const texts = pairs.flatMap(([name, value]) =>
    typeof value === "string" && /^\w+$/.test(name) && !value.includes("\0") ? [[name, value] as const] : [],
  );
  if (texts.length < pairs.length) return "its env has a variable that is no text, or has an invalid name";
  return Object.fromEntries(texts);
}
