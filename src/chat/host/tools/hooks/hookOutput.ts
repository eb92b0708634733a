import { isMembers, type Members, membersOf } from "../../../../shared/members.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { eventOf, type Hook, type HookEvent } from "./hookFile.ts";
import type { HookEnd } from "./runHook.ts";

/** What hooks say about an event. Nothing of it approves anything. */
export interface HookSays {
  /** Why the call is not run. */
  readonly refusal?: string;
  /** Why the user is asked about the call. */
  readonly ask?: string;
  /** Why the task stops. */
  readonly halt?: string;
  /** Why a task that would end goes on. */
  readonly goOn?: string;
  /** For the model. */
  readonly context: readonly string[];
  /** For the user, as sentences. */
  readonly notes: readonly string[];
}

export const nothingSaid: HookSays = { context: [], notes: [] };

/** Characters of what a model is told, of a reason, and of a note. */
const [maxContext, maxReason, maxNote] = [8_000, 2_000, 500];

/** `the hook "./check.sh" of .github/hooks/check.json` */
export function hookName({ command, file }: Hook): string {
  return `the hook "${visibleLine(shortened(command, 60))}" of ${file.label}`;
}

/** What a hook says by its exit code and its output, which may be anything. */
export function readHookOutput(hook: Hook, end: HookEnd): HookSays {
  const { event, timeoutMs } = hook;
  const { code, stdout, stderr, isCut, isLate, failure } = end;
  const fault = (what: string) => noted(hook, `${what}${withoutIt[event]}`);
  if (failure !== undefined) return fault(`could not be started: ${failure}`);
  if (isLate) return fault(`had not ended after ${timeoutMs / 1000} s, so it was ended`);
  if (code === 2) return blocked(hook, stderr, stdout);
  if (code !== 0)
    return fault(`${code === null ? "was killed" : `ended with code ${code}`}${lastLine(stderr)}`);
  if (stdout.trim() === "") return nothingSaid;
  if (isCut) return fault("printed more than is read, so its output is not used");
  return readJson(hook, stdout);
}

/** What a fault of a hook means, as in the editor. */
const withoutIt: Readonly<Record<HookEvent, string>> = {
  PreToolUse: ". The call went on without it",
  PostToolUse: ". The task went on without it",
  Stop: ". The task ended without it",
};

function noted(hook: Hook, what: string): HookSays {
  return { ...nothingSaid, notes: [noteOf(hook, what)] };
}

/** `The hook "…" of … did so.` */
function noteOf(hook: Hook, what: string): string {
  const name = hookName(hook);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${visibleLine(shortened(what, maxNote))}.`;
}

function lastLine(stderr: string): string {
  const line = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${shortened(line, 300)}`;
}

/** The exit code 2. Some print their reason as they would with the code 0. */
function blocked(hook: Hook, stderr: string, stdout: string): HookSays {
  const said = membersOf(jsonIn(stdout));
  const { permissionDecisionReason = said.permissionDecisionReason } = membersOf(said.hookSpecificOutput);
  const reasons = [stderr, permissionDecisionReason, said.reason, "it ended with code 2 and gave no reason"];
  const reason = reasons.find((one): one is string => typeof one === "string" && one.trim() !== "");
  return blockedFor(hook, (reason ?? "").trim());
}

/** The JSON of an output, also after lines of something else, such as what a shell prints at its start; undefined without. */
function jsonIn(stdout: string): unknown {
  const start = stdout.search(/^\s*\{/m);
  return parseJson(stdout) ?? (start > 0 ? parseJson(stdout.slice(start)) : undefined);
}

function blockedFor(hook: Hook, given: string): HookSays {
  const reason = shortened(given, maxReason);
  if (hook.event === "PreToolUse") return { ...nothingSaid, refusal: reason };
  if (hook.event === "Stop") return { ...nothingSaid, goOn: reason };
  return { ...nothingSaid, context: [reason] };
}

function readJson(hook: Hook, stdout: string): HookSays {
  const value = jsonIn(stdout);
  if (value === undefined)
    return noted(hook, `printed no JSON, so its output is not used: ${shortened(stdout.trim(), 200)}`);
  if (!isMembers(value)) return noted(hook, "printed JSON that is no object, so its output is not used");
  return saidBy(hook, value);
}

function saidBy(hook: Hook, said: Members): HookSays {
  const { specific, faults } = specificOf(hook, said);
  const text = (name: string, of: Members): string => {
    const value = of[name];
    if (value !== undefined && typeof value !== "string") faults.push(`printed a ${name} that is no text`);
    return typeof value === "string" ? value.trim() : "";
  };
  const halted = said.continue === false ? text("stopReason", said) || "it gave no reason" : undefined;
  const message = text("systemMessage", said);
  const context = text("additionalContext", specific);
  const decided = decisionOf(hook, said, specific, text, faults);
  return {
    ...decided,
    ...(halted === undefined ? {} : { halt: shortened(halted, maxReason) }),
    context: [...decided.context, ...(context === "" ? [] : [shortened(context, maxContext)])],
    notes: [
      ...faults.map((fault) => noteOf(hook, fault)),
      ...(message === "" ? [] : [noteOf(hook, `says: ${message.replace(/\.$/, "")}`)]),
    ],
  };
}

/** The part for the event. The Copilot CLI has its members beside the others. */
function specificOf(hook: Hook, said: Members): { readonly specific: Members; readonly faults: string[] } {
  const { hookSpecificOutput: part } = said;
  if (part === undefined) return { specific: said, faults: [] };
  const { hookEventName: name } = membersOf(part);
  const isForEvent =
    isMembers(part) && (name === undefined || (typeof name === "string" && eventOf(name) === hook.event));
  if (isForEvent) return { specific: part, faults: [] };
  return { specific: {}, faults: [`printed a hookSpecificOutput that is not for ${hook.event}`] };
}

function decisionOf(
  hook: Hook,
  said: Members,
  specific: Members,
  text: (name: string, of: Members) => string,
  faults: string[],
): HookSays {
  // Other programs call it so. A word for a refusal that is not known here would let the call run.
  const isBlock = [said.decision, specific.decision].some((one) => one === "block" || one === "deny");
  const reason = text("reason", said) || text("reason", specific);
  if (isBlock) return blockedFor(hook, reason || "it gave no reason");
  if (hook.event !== "PreToolUse") return nothingSaid;
  if (specific.updatedInput !== undefined || specific.modifiedArgs !== undefined)
    faults.push("wanted another input of the call, which was run as its card says");
  const { permissionDecision: permission } = specific;
  const why = shortened(text("permissionDecisionReason", specific) || "it gave no reason", maxReason);
  if (permission === "deny" || permission === "block") return { ...nothingSaid, refusal: why };
  if (permission === "ask") return { ...nothingSaid, ask: why };
  // A hook can't approve: the call asks as it would without the hook.
  if (permission !== undefined && permission !== "allow")
    faults.push("printed a permissionDecision other than allow, ask and deny");
  return nothingSaid;
}
