import type { ToolInput } from "../../../session/tools/serviceTool.ts";
import { unaskedKinds } from "../../../shared/agentModes.ts";
import { taskOf } from "../agent/task.ts";
import type { LiveChat } from "../liveChat.ts";
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

/** Approvals for more than one call, in a task, a conversation or a workspace. */
export interface Permits {
  /** True if the call may run without asking. */
  isGiven(ready: Ready): Promise<boolean>;
  give(ready: Ready, decision: LastingApproval): Promise<void>;
}

export function createPermits({ chat, approvals, connectionId }: PermitsDeps): Permits {
  const here = new Set<string>();
  /** One key for each scope of a call; none if the call can't be approved for longer. */
  const keysOf = async ({ tool, input }: Ready): Promise<readonly string[]> => {
    const { name, price, scopes } = tool;
    // Without a fingerprint a change would not be noticed, so the tool can't be approved.
    const fingerprint = await tool.fingerprint().catch(() => undefined);
    if (!fingerprint) return [];
    if (tool.alwaysAsks?.(input)) return [];
    const each = scopes ? scopes(input) : [undefined];
    return each.map((scope) => JSON.stringify([connectionId(), name, fingerprint, price, scope]));
  };
  const chatKey = (key: string) => `chat ${chat.state.conversationId} ${key}`;
  const taskKey = (key: string) => {
    const task = taskOf(chat.path(), chat.state.settings);
    return task && `task ${task.id} ${key}`;
  };
  /** Only built-in tools are what their kind says. */
  const kindKey = ({ kind, origin }: ChatTool) =>
    origin === "built-in" ? taskKey(`all ${connectionId()} ${kind}`) : undefined;
  const isHere = (key: string | undefined) => key !== undefined && here.has(key);
  return {
    async isGiven(ready) {
      const { tool, input } = ready;
      if (tool.alwaysAsks?.(input)) return false;
      const { mode = "ask", task } = chat.state.settings;
      const unasked = unaskedKinds(mode, task?.asksBeforeEdits === true);
      if (tool.origin === "built-in" && unasked.includes(tool.kind)) return true;
      if (approvals.isAllowed(tool, input)) return true;
      if (!approvals.mayRunUnasked(tool)) return false;
      if (isHere(kindKey(tool))) return true;
      const keys = await keysOf(ready);
      const isKnown = (key: string) => isHere(chatKey(key)) || isHere(taskKey(key)) || approvals.isGiven(key);
      return keys.length > 0 && keys.every(isKnown);
    },
    async give(ready, decision) {
      const key = kindKey(ready.tool);
      if (decision === "kind") return void (key && here.add(key));
      for (const one of await keysOf(ready)) {
        if (decision === "always") approvals.give(one);
        else here.add((decision === "task" ? taskKey(one) : undefined) ?? chatKey(one));
      }
    },
  };
}
