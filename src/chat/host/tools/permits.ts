import type { ToolInput } from "../../../tools/serviceTool.ts";
import { unaskedKinds } from "../../protocol/agentModes.ts";
import { taskOf } from "../agent/task.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ChatTool } from "./tool.ts";

/** `task` and `kind` end with the task: for calls like this one, or for all calls of its kind. */
export type LastingApproval = "task" | "kind" | "conversation" | "always";

/** Permanent approvals of this workspace. */
export interface Approvals {
  /** True if the settings allow an approved tool to run without asking. */
  mayRunUnasked(tool: ChatTool): boolean;
  /** True if the user's settings allow this call. */
  isAllowed(tool: ChatTool, input: ToolInput): boolean;
  isGiven(key: string): boolean;
  give(key: string): void;
  /** How often an agent of this window has changed a file that says what programs run. */
  runFileChanges(): number;
}

/** A tool with a valid call. */
export interface Ready {
  readonly tool: ChatTool;
  readonly input: ToolInput;
}

export interface PermitsDeps {
  readonly chat: LiveChat;
  readonly approvals: Approvals;
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

export function createPermits({ chat, approvals, connectionId }: PermitsDeps): Permits {
  /** The state of `runFileChanges` when each approval was given. */
  const here = new Map<string, number>();
  /** One key for each scope of a call; none if the call can't be approved for longer. */
  const keysOf = async ({ tool, input }: Ready): Promise<readonly string[]> => {
    const { name, price, scopes } = tool;
    // Without a fingerprint a change would not be noticed, so the tool can't be approved.
    const fingerprint = await tool.fingerprint().catch(() => undefined);
    if (!fingerprint || tool.alwaysAsks?.(input)) return [];
    const each = scopes?.(input) ?? [undefined];
    return each.map((scope) => JSON.stringify([connectionId(), name, fingerprint, price, scope]));
  };
  const chatKey = (key: string) => `chat ${chat.state.conversationId} ${key}`;
  const taskKey = (key: string) => {
    const task = taskOf(chat.path(), chat.state.settings);
    return task && `task ${task.id} ${key}`;
  };
  const alwaysKey = (key: string) => `always ${key}`;
  /** Only built-in tools are what their kind says. Files about which the user is asked are a kind of their own. */
  const kindKeys = ({ tool: { kind, origin, question }, input }: Ready): readonly string[] => {
    if (origin !== "built-in") return [];
    const kinds = question?.(input) === undefined ? [kind, `asked ${kind}`] : [`asked ${kind}`];
    const keys = kinds.map((one) => taskKey(`all ${connectionId()} ${one}`));
    return keys.filter((key) => key !== undefined);
  };
  /** Of an approval for this key: how often files that programs run have changed before it. */
  const givenAt = (key: string): number | undefined => {
    const [task, always] = [taskKey(key), approvals.isGiven(key)];
    const times = [chatKey(key), ...(task === undefined ? [] : [task]), ...(always ? [alwaysKey(key)] : [])]
      .map((one) => here.get(one))
      .filter((time) => time !== undefined);
    // One of the workspace that was not given here is older than this window.
    return times.length > 0 || always ? Math.max(0, ...times) : undefined;
  };
  /** True for a command if files that programs run have changed since it was approved. */
  const isOver = ({ kind }: Ready["tool"], times: readonly (number | undefined)[]): boolean =>
    kind === "command" && times.some((time) => time !== approvals.runFileChanges());
  const isGivenByMode = ({ tool, input }: Ready): boolean => {
    const { mode = "ask", task } = chat.state.settings;
    const unasked = unaskedKinds(mode, task?.asksBeforeEdits === true);
    const asks = tool.question?.(input) !== undefined;
    return tool.origin === "built-in" && unasked.includes(tool.kind) && !asks;
  };
  return {
    async permissionFor(ready) {
      const { tool, input } = ready;
      if (tool.alwaysAsks?.(input)) return "none";
      if (isGivenByMode(ready)) return "given";
      if (approvals.isAllowed(tool, input)) return "given";
      if (!approvals.mayRunUnasked(tool)) return "none";
      if (kindKeys(ready).some((key) => here.has(key))) return "given";
      const times = (await keysOf(ready)).map(givenAt);
      if (times.length === 0 || times.includes(undefined)) return "none";
      return isOver(tool, times) ? "over" : "given";
    },
    async give(ready, decision) {
      const now = approvals.runFileChanges();
      const [kind] = kindKeys(ready);
      if (decision === "kind") return void (kind && here.set(kind, now));
      const isAsked = ready.tool.question?.(ready.input) !== undefined;
      for (const one of await keysOf(ready)) {
        if (decision === "always" && !isAsked) {
          approvals.give(one);
          here.set(alwaysKey(one), now);
        } else here.set((decision === "conversation" ? undefined : taskKey(one)) ?? chatKey(one), now);
      }
    },
  };
}
