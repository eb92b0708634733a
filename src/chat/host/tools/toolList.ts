import { visibleLine, visibleText } from "../../../shared/text/html/visibleText.ts";
import { isSelectable } from "../../protocol/agentModes.ts";
import type { ServerAction } from "../../protocol/chatProtocol.ts";
import type { ToolServer } from "../../protocol/chatState.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { ActingTrees } from "../subagents/acting/actingTrees.ts";
import type { WindowHooks } from "./hooks/windowHooks.ts";
import type { LaterProblems } from "./language/followedFiles.ts";
import type { Approvals } from "./permits.ts";
import type { ChatTool } from "./tool.ts";

/** The tools of the window, and an event for changes. */
export interface ToolSource {
  read(): Promise<{
    readonly tools: readonly ChatTool[];
    readonly problem?: string;
    readonly servers?: readonly ToolServer[];
  }>;
  /** Starts or stops a server by its id, or shows what the servers have printed. Never rejects. */
  setServer?(id: string, action: ServerAction): Promise<void>;
  onDidChange(listener: () => void): { dispose(): void };
  readonly approvals: Approvals;
  /** Another hand than these tools has changed a file that says what programs run: see `Approvals`. */
  readonly onRunChanged?: () => void;
  /** Programs of the workspace and of the user around calls; absent without a window. */
  readonly hooks?: Pick<WindowHooks, "has" | "run">;
  /** Files for subagents that act; absent without a window. */
  readonly trees?: Pick<ActingTrees, "open">;
  /** The problems that edits of tasks have made; absent without language services. */
  readonly problems?: LaterProblems;
}

/** The tools of conversations, kept up to date in the view state. */
export interface ToolList {
  readonly all: readonly ChatTool[];
  /** The same after the last load: a request right after a reload of the window names the tools of the one before it. */
  read(): Promise<readonly ChatTool[]>;
  load(): Promise<void>;
  dispose(): void;
}

export function createToolList(chat: Pick<LiveChat, "set">, source: ToolSource): ToolList {
  let all: readonly ChatTool[] = [];
  let loading: Promise<void> | undefined;
  const readAll = async () => {
    const { tools, problem = null, servers: toolServers = [] } = await source.read();
    all = tools;
    const offers = tools.filter(isSelectable).map(({ name, title, description, origin, server, price }) => ({
      name,
      title: visibleLine(title),
      description: visibleText(description),
      origin,
      ...(server === undefined ? {} : { server }),
      ...(price === undefined ? {} : { price }),
    }));
    chat.set({ tools: offers, toolsProblem: problem && visibleLine(problem), toolServers });
  };
  const load = () => {
    loading = readAll();
    return loading;
  };
  const watching = source.onDidChange(() => void load());
  return {
    get all() {
      return all;
    },
    async read() {
      // `load` reports the failure.
      await loading?.catch(() => {});
      return all;
    },
    load,
    dispose: () => watching.dispose(),
  };
}
