import { join } from "node:path";
import * as vscode from "vscode";
import { signalOf } from "../../platform/cancellation.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { readBudgets } from "../../platform/settings.ts";
import { receiverOf } from "../../session/connection/baseUrl.ts";
import type { Client } from "../../session/session.ts";
import { priceWords } from "../../session/spend/confirmPrice.ts";
import { mayHaveHappened } from "../../shared/mayHaveHappened.ts";
import { visibleLine, visibleText } from "../../shared/text/html/visibleText.ts";
import { untilAborted } from "../../shared/untilAborted.ts";
import { checkToolInput } from "../checkToolInput.ts";
import { documentsHere } from "../files/documentsHere.ts";
import { trustedFiles } from "../files/editorFiles.ts";
import { workspaceRoots } from "../files/workspaceRoots.ts";
import type { ServiceTool, ToolContent, ToolInput, ToolQuestion } from "../serviceTool.ts";
import { createServiceTools } from "../serviceTools.ts";
import { agreeConsent, askConsent, isConsentDue, toPriceQuestion } from "../toolConsent.ts";
import { toolErrorText } from "../toolErrorText.ts";
import type { ModelToolsDeps } from "./deps.ts";

/** Confirmed calls that were not invoked are forgotten above this number. */
const mostPrepared = 100;

/** The tools of the service, as the editor calls them. */
export class ModelTools {
  readonly #deps: ModelToolsDeps;
  readonly #tools: readonly ServiceTool[];
  readonly #shownByEditor = createCallMarks(mostPrepared);

  constructor(deps: ModelToolsDeps) {
    this.#deps = deps;
    const { session, globalStorageUri, describeWrite, chain } = deps;
    const folder = join(globalStorageUri.fsPath, "tools");
    this.#tools = createServiceTools({
      session,
      budgets: readBudgets,
      files: trustedFiles,
      documents: documentsHere(session),
      folder,
      describeWrite,
      chain,
    });
  }

  /** The progress message, and the confirmation if it is due. Throws an Error for an input that can't be sent. */
  prepare(
    name: string,
    value: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    return this.#explained(
      name,
      token,
      () => "Nothing was sent or billed.",
      async (signal) => {
        const { tool, input, client } = await open(this.#deps, this.#tools, name, value);
        const question = await tool.prepare(input, client, signal);
        const invocationMessage = visibleLine(question.summary);
        // The editor can be told to confirm calls of a tool by itself. A transaction is confirmed in our own dialog.
        if (question.asks === "always" || !isConsentDue(this.#deps, { tool }, question))
          return { invocationMessage };
        this.#shownByEditor.add(markOf(name, input, client, question));
        return { invocationMessage, confirmationMessages: confirmation(this.#deps, tool, question) };
      },
    );
  }

  /** Throws an Error with reason and next step. */
  invoke(
    name: string,
    value: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    let isSending = false;
    const cancelled = () => (isSending ? mayHaveHappened.billed : "Nothing was sent or billed.");
    return this.#explained(name, token, cancelled, async (signal) => {
      const { tool, input, client } = await open(this.#deps, this.#tools, name, value);
      const question = await tool.prepare(input, client, signal);
      if (this.#shownByEditor.take(markOf(name, input, client, question)))
        await agreeConsent(this.#deps, client.connection, { tool }, question);
      // A modal dialog can't be closed: the call ends without it.
      else if (!(await untilAborted(askConsent(this.#deps, { tool }, question), signal)))
        throw new Refusal("Nothing was sent or billed, because the user declined.");
      signal.throwIfAborted();
      isSending = true;
      const parts = await tool.run(input, client, signal);
      return new vscode.LanguageModelToolResult(parts.map(toPart));
    });
  }

  async #explained<Value>(
    name: string,
    token: vscode.CancellationToken,
    /** What is told of a call that was cancelled. */
    cancelled: () => string,
    work: (signal: AbortSignal) => Promise<Value>,
  ): Promise<Value> {
    const { signal, dispose } = signalOf(token);
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) {
        // The editor shows no text for a cancelled call.
        this.#deps.log.info(`${name} was cancelled. ${cancelled()}`);
        throw new vscode.CancellationError();
      }
      const text = toolErrorText(error, this.#deps.session.active);
      this.#deps.log.warn(`${name}: ${text}`);
      throw new Error(text);
    } finally {
      dispose();
    }
  }
}

interface OpenCall {
  readonly tool: ServiceTool;
  readonly input: ToolInput;
  readonly client: Client;
}

/** Checks the input, before the service is reached. */
async function open(
  { session }: ModelToolsDeps,
  tools: readonly ServiceTool[],
  name: string,
  value: unknown,
): Promise<OpenCall> {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Refusal(`There is no tool ${name}.`);
  const input = checkToolInput(tool, value, workspaceRoots());
  const { active } = session;
  if (!active)
    throw new Refusal(
      `${name} was not run, because no service is connected. Run “Inference Connection: Sign In…”, or “Inference Connection: Use the Sandbox”, which needs no key.`,
    );
  return { tool, input, client: await session.clientOf(active, { kind: "tool" }) };
}

/** The editor shows it as Markdown, so the text of an input is plain text in it. */
function confirmation(
  deps: ModelToolsDeps,
  tool: ServiceTool,
  question: ToolQuestion,
): vscode.LanguageModelToolConfirmationMessages {
  const { title, paid } = priceWords(deps, toPriceQuestion({ tool }, question));
  const message = [paid, ...question.details].map(plainMarkdown).join("\n\n");
  return { title: visibleLine(title), message: new vscode.MarkdownString(message) };
}

/** Markdown that shows a text as it is. The editor's own `appendText` makes lines that never wrap. */
function plainMarkdown(text: string): string {
  const lines = visibleText(text)
    .replace(/[!-/:-@[-`{-~]/g, "\\$&")
    .split("\n");
  const shown = lines.map((line) => line.trim()).filter((line) => line !== "");
  return shown.join("\n\n");
}

function toPart(part: ToolContent): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.kind === "text"
    ? new vscode.LanguageModelTextPart(part.text)
    : new vscode.LanguageModelDataPart(part.bytes, part.mime);
}

/** Identifies a call that the editor has shown: the same input and price, for the same receiver. */
function markOf(name: string, input: ToolInput, { connection }: Client, { usd }: ToolQuestion): string {
  return JSON.stringify([receiverOf(connection), name, usd, input]);
}

/** Calls whose price the editor has shown. A mark is for one call. */
function createCallMarks(most: number) {
  const marks: string[] = [];
  return {
    add(mark: string): void {
      marks.push(mark);
      if (marks.length > most) marks.shift();
    },
    take(mark: string): boolean {
      const at = marks.indexOf(mark);
      if (at >= 0) marks.splice(at, 1);
      return at >= 0;
    },
  };
}
