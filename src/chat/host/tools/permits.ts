import type { ConsentKey } from "../../../session/consent/consent.ts";
import type { Consents } from "../../../session/consent/consents.ts";
import type { ToolInput } from "../../../tools/serviceTool.ts";
import { readResultName, type ToolKind, unaskedKinds } from "../../protocol/agentModes.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { taskOf } from "../agent/task.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ChatTool } from "./tool.ts";

/** How long an approval lasts: for calls like this one, or with `Rule` for all that its rule covers. */
type Span = "task" | "conversation" | "always";
/** `kind` is for all calls of its kind, and ends with the task. */
export type LastingApproval = Span | `${Span}Rule` | "kind";

/** What the settings and the user have approved. */
export interface Approvals {
  /** True if the settings allow an approved tool to run without asking. */
  mayRunUnasked(tool: ChatTool): boolean;
  /** True if the user's settings allow this call. */
  isAllowed(tool: ChatTool, input: ToolInput): boolean;
  readonly consents: Consents;
  /** How often an agent of this window has changed a file that says what programs run. */
  runFileChanges(): number;
}

/** A tool with a valid call. */
export interface Ready {
  readonly tool: ChatTool;
  readonly input: ToolInput;
  /** What the model is told about how its call was read, as sentences. */
  readonly notes?: readonly string[];
}

export interface PermitsDeps {
  /** Whose task and settings decide. */
  readonly chat: Pick<LiveChat, "path" | "state">;
  readonly approvals: Approvals;
  /** The state of `runFileChanges` when each approval was given: one for a task and its subagents. */
  readonly givenAt?: Map<string, number>;
  /** The connection with its address (`receiverOf`): approvals are bound to who receives the data and is paid. */
  readonly connectionId: () => string | undefined;
}

/** Whether a call may run without asking; `over`: it might, but that approval has ended. */
type Permission = "given" | "over" | "none";

/** Approvals for more than one call, in a task, a conversation or a workspace. */
export interface Permits {
  permissionFor(ready: Ready): Promise<Permission>;
  give(ready: Ready, decision: LastingApproval): Promise<void>;
}

export function createPermits({ chat, approvals, connectionId, givenAt = new Map() }: PermitsDeps): Permits {
  const { consents } = approvals;
  const receiver = () => connectionId() ?? "";
  const taskId = () => taskOf(chat.path(), chat.state.settings)?.id;
  const keyOf = (kind: "workspaceTool" | "chatTool" | "taskTool", parts: readonly string[]): ConsentKey[] => {
    if (kind === "workspaceTool") return [{ kind, receiver: receiver(), subject: parts }];
    const span = kind === "chatTool" ? chat.state.conversationId : taskId();
    return span === undefined ? [] : [{ kind, receiver: receiver(), subject: [span, ...parts] }];
  };
  /** Only built-in tools are what their kind says. Files about which the user is asked are a kind of their own. */
  const kindKeys = ({ tool: { kind, origin, question }, input }: Ready): readonly ConsentKey[] => {
    const task = taskId();
    if (origin !== "built-in" || task === undefined) return [];
    const kinds = question?.(input) === undefined ? [kind, `asked ${kind}`] : [`asked ${kind}`];
    return kinds.map((one) => ({ kind: "taskKind", receiver: receiver(), subject: [task, one] }));
  };
  /** Of the approvals for these parts: how often files that programs run have changed before the last one. */
  const changesBefore = (parts: readonly string[]): number | undefined => {
    const kinds = ["workspaceTool", "chatTool", "taskTool"] as const;
    const given = kinds.flatMap((kind) => keyOf(kind, parts)).filter((key) => consents.use(key));
    // One of the workspace that was not given here is older than this window.
    const times = given.map((key) => givenAt.get(JSON.stringify(key)) ?? 0);
    return times.length > 0 ? Math.max(...times) : undefined;
  };
  /** True for a command if files that programs run have changed since it was approved. */
  const isOver = ({ kind }: Ready["tool"], times: readonly (number | undefined)[]): boolean =>
    kind === "command" && times.some((time) => time !== approvals.runFileChanges());
  /** All edits of the task can be allowed, too. */
  const mayEdit = () =>
    isUnasked(chat.state.settings, "edit") ||
    consents.use({ kind: "taskKind", receiver: receiver(), subject: [taskId() ?? "", "edit"] }) !== undefined;
  /** For the task, unless it is for the whole conversation or there is no task. */
  const spanKey = (decision: Span, parts: readonly string[]): ConsentKey | undefined => {
    const [task] = decision === "conversation" ? [] : keyOf("taskTool", parts);
    return task ?? keyOf("chatTool", parts)[0];
  };
  const store = async (key: ConsentKey, says: string): Promise<void> => {
    givenAt.set(JSON.stringify(key), approvals.runFileChanges());
    await consents.give({ ...key, says });
  };
  const giveKind = async (ready: Ready, isAsked: boolean): Promise<void> => {
    const [key] = kindKeys(ready);
    if (key) await store(key, `${kindWords[ready.tool.kind]}${isAsked ? ", also those that ask" : ""}`);
  };
  /** By approvals of its scopes. */
  const givenBefore = async (ready: Ready): Promise<Permission> => {
    const scopes = await scopesOf(ready);
    const times = await timesOf(scopes, changesBefore, isUnasked(chat.state.settings, "read"));
    if (scopes.length === 0 || times.includes(undefined)) return "none";
    return isOver(ready.tool, times) ? "over" : "given";
  };
  return {
    async permissionFor(ready) {
      const { tool, input } = ready;
      if (tool.alwaysAsks?.(input)) return "none";
      if (isGivenByMode(ready, chat.state.settings)) return "given";
      const mayRun = approvals.mayRunUnasked(tool);
      if (mayRun && kindKeys(ready).some((key) => consents.use(key))) return "given";
      if (tool.alsoEdits?.(input) && !mayEdit()) return "none";
      if (approvals.isAllowed(tool, input)) return "given";
      if (!mayRun) return "none";
      return givenBefore(ready);
    },
    async give(ready, decision) {
      const { tool, input } = ready;
      const isAsked = tool.question?.(input) !== undefined;
      if (decision === "kind") return giveKind(ready, isAsked);
      const [span, isRule] = spanOf(decision);
      const scopes = await scopesOf(ready);
      const given = isRule ? rulesOf(scopes) : scopes.map(({ exact }) => exact);
      for (const parts of given) {
        const key = span === "always" && !isAsked ? keyOf("workspaceTool", parts)[0] : spanKey(span, parts);
        if (key) await store(key, partsWords(tool.title, parts));
      }
    },
  };
}

/** Of each scope that does more than read: what its newest approval knew of changes; undefined without one. */
async function timesOf(
  scopes: readonly ApprovedScope[],
  changesBefore: (parts: readonly string[]) => number | undefined,
  mayRead: boolean,
): Promise<readonly (number | undefined)[]> {
  const times: (number | undefined)[] = [];
  for (const { exact, rule, reads } of scopes) {
    const given = [exact, ...(rule ? [rule] : [])].map(changesBefore).filter((time) => time !== undefined);
    if (given.length > 0) times.push(Math.max(...given));
    else if (!mayRead || !(await reads?.())) times.push(undefined);
  }
  return times;
}

function isUnasked({ mode = "ask", task }: ChatSettings, kind: ToolKind): boolean {
  return unaskedKinds(mode, task?.asksBeforeEdits === true).includes(kind);
}

function spanOf(decision: Exclude<LastingApproval, "kind">): readonly [span: Span, isRule: boolean] {
  if (decision === "taskRule") return ["task", true];
  if (decision === "conversationRule") return ["conversation", true];
  return decision === "alwaysRule" ? ["always", true] : [decision, false];
}

/** What the user allows by the rules of a call: none unless there is one for each part that does more than read. */
export function rulesOf<Rule>(
  covers: readonly { readonly rule?: Rule; readonly reads?: unknown }[],
): readonly Rule[] {
  const acting = covers.filter(({ reads }) => reads === undefined);
  const rules = acting.flatMap(({ rule }) => (rule === undefined ? [] : [rule]));
  return rules.length === acting.length ? rules : [];
}

/** What is approved for a scope of a call. */
interface ApprovedScope {
  readonly exact: readonly string[];
  readonly rule?: readonly string[];
  readonly reads?: () => Promise<boolean>;
}

/** For each scope of a call; none if the call can't be approved for longer. */
async function scopesOf({ tool, input }: Ready): Promise<readonly ApprovedScope[]> {
  const { name, price = "", scopes, covers } = tool;
  // Without a fingerprint a change would not be noticed, so the tool can't be approved.
  const fingerprint = await tool.fingerprint().catch(() => undefined);
  if (!fingerprint || tool.alwaysAsks?.(input)) return [];
  const partsOf = (scope?: string) => [name, fingerprint, price, ...(scope === undefined ? [] : [scope])];
  const others = covers?.(input) ?? [];
  return (scopes?.(input) ?? [undefined]).map((scope, index) => {
    const { rule, reads } = others[index] ?? {};
    return {
      exact: partsOf(scope),
      ...(rule === undefined ? {} : { rule: partsOf(rule) }),
      ...(reads ? { reads } : {}),
    };
  });
}

function isGivenByMode({ tool, input }: Ready, { mode = "ask", task }: ChatSettings): boolean {
  const unasked = unaskedKinds(mode, task?.asksBeforeEdits === true);
  const asks = tool.question?.(input) !== undefined;
  if (tool.origin === "built-in" && tool.name === readResultName) return true;
  // In Plan it is refused, so nobody is asked.
  const mayWrite = mode === "plan" || unasked.includes("edit") || !tool.alsoEdits?.(input);
  return tool.origin === "built-in" && unasked.includes(tool.kind) && mayWrite && !asks;
}

const kindWords: Readonly<Record<ToolKind, string>> = {
  read: "All reading",
  plan: "All changes of the plan",
  edit: "All edits",
  command: "All commands",
  network: "All paid calls",
};

/** `Run a command: npm test`. */
function partsWords(title: string, [, , , scope]: readonly string[]): string {
  return scope === undefined ? title : `${title}: ${scope}`;
}
