import { Refusal } from "../../../../platform/errors/refusal.ts";
import type { Session } from "../../../../session/session.ts";
import { isStill } from "../../../../session/spend/confirmPrice.ts";
import type { LinkContent, LinkResult } from "../../../../shared/mcpLink.ts";
import { checkToolInput } from "../../../checkToolInput.ts";
import type { PathRoots } from "../../../input/workspacePath.ts";
import type { ServiceTool, ToolContent, ToolQuestion } from "../../../serviceTool.ts";
import { toolErrorText } from "../../../toolErrorText.ts";

export interface McpCall {
  readonly name: string;
  readonly input: unknown;
  /** The name that the client gave itself. */
  readonly client: string;
}

/**
 * Receives sentences about the progress. `isSending`: what follows may be billed. Resolves once that is on its way to the
 * client, which then knows what a lost call may have cost.
 */
export type OnState = (text: string, isSending?: boolean) => Promise<void> | void;

/** Runs a call of an MCP client. Never rejects: an error is a result. */
export type RunCall = (call: McpCall, signal: AbortSignal, onState: OnState) => Promise<CallResult>;

export interface CallResult extends LinkResult {
  /** True if the call had no price. */
  readonly isFree?: boolean;
}

export interface CallConsent {
  readonly tool: ServiceTool;
  readonly question: ToolQuestion;
  readonly client: string;
}

/** Resolves to false if the user refuses. Calls `onAsk` before a question. Rejects on abort. */
export type Approve = (consent: CallConsent, signal: AbortSignal, onAsk: () => void) => Promise<boolean>;

export interface CallRunnerDeps {
  readonly session: Pick<Session, "active" | "clientOf">;
  readonly tools: readonly ServiceTool[];
  readonly approve: Approve;
  readonly roots: () => PathRoots;
}

export function createCallRunner({ session, tools, approve, roots }: CallRunnerDeps): RunCall {
  const run = async (call: McpCall, signal: AbortSignal, onState: OnState) => {
    const tool = tools.find(({ name }) => name === call.name);
    if (!tool) throw new Refusal(`There is no tool ${call.name}.`);
    const input = checkToolInput(tool, call.input, roots());
    const { active } = session;
    if (!active) throw new Refusal(noConnection);
    const service = await session.clientOf(active, { kind: "mcp", client: call.client });
    const question = await tool.prepare(input, service, signal);
    // The question names the active connection; another one must not be billed instead.
    const checkActive = () => {
      if (!isStill(session, active)) throw new Refusal(switched);
    };
    checkActive();
    const mayRun = await approve({ tool, question, client: call.client }, signal, () => {
      void onState("Waiting for the user's approval in VS Code");
    });
    signal.throwIfAborted();
    if (!mayRun)
      throw new Refusal(
        `The user refused ${tool.name} in VS Code. Nothing was sent, and nothing was billed.`,
      );
    checkActive();
    await onState("Running", true);
    signal.throwIfAborted();
    checkActive();
    return { content: await tool.run(input, service, signal), isFree: question.usd === 0 };
  };
  return async (call, signal, onState) => {
    try {
      const { content, isFree } = await run(call, signal, onState);
      return { content: content.map(toLinkContent), isError: false, isFree };
    } catch (error) {
      return { content: [{ type: "text", text: toolErrorText(error, session.active) }], isError: true };
    }
  };
}

const noConnection =
  "Inference Workbench has no connection. Run “Inference Connection: Sign In…” or “Inference Connection: Use the Sandbox” in VS Code, then repeat the call. Nothing was sent.";
const switched = "The connection was switched in VS Code during the call. Nothing was sent. Repeat the call.";

function toLinkContent(part: ToolContent): LinkContent {
  if (part.kind === "text") return { type: "text", text: part.text };
  return { type: part.kind, data: Buffer.from(part.bytes).toString("base64"), mimeType: part.mime };
}
