import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ElicitRequestSchema,
  type ElicitResult,
  ListRootsRequestSchema,
  ToolListChangedNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import { mayHaveHappened } from "../../../../shared/mayHaveHappened.ts";
import { type Members, membersOf } from "../../../../shared/members.ts";
import { messageOf } from "../../../../shared/messageOf.ts";
import { visibleLine } from "../../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../../shared/text/shortened.ts";
import { untilAborted } from "../../../../shared/untilAborted.ts";
import { type ListedTools, readTools } from "../serverTool.ts";
import { deniedText, httpStatusOf } from "./httpStatus.ts";
import type { ServerLimits } from "./limits.ts";

/** A question of a server to the user. */
export type ServerQuestion =
  | { readonly kind: "form"; readonly message: string; readonly schema: unknown }
  | { readonly kind: "url"; readonly message: string; readonly url: string };

export type QuestionAnswer = Pick<ElicitResult, "action" | "content">;

/** The window, as a server sees it. */
export interface ConnectionHost {
  /** Of this extension. */
  readonly version: string;
  /** Folders of the workspace, as URIs with their names. */
  roots(): readonly { readonly uri: string; readonly name: string }[];
  /** Asks the user. The signal is aborted when the question is obsolete. */
  ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer>;
  toolsChanged(listed: ListedTools): void;
  /** It has printed this to its standard error. */
  printed(text: string): void;
  /** It has ended, though nobody has closed it; `how` is the end of a sentence. */
  ended(how: string): void;
}

/** What a call gave. Nothing in it is checked. */
export interface ServerResult {
  readonly content: readonly unknown[];
  readonly structuredContent?: Members;
  readonly isError: boolean;
}

const ToolPage = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().exactOptional() });
const CallResult = z.looseObject({
  content: z.array(z.unknown()).default([]),
  structuredContent: z.record(z.string(), z.unknown()).exactOptional(),
  isError: z.boolean().default(false),
});
const maxPages = 20;

/** The server did not take the request of a call, so nothing was called: it may not know the session any more. */
class RequestRefused extends Refusal {
  override readonly name = "RequestRefused";
}

/** What servers answer to a session that they don't know any more, and to credentials that have expired. */
const refusals: readonly number[] = [400, 401, 403, 404];

/** A server that has been started or reached. */
export class ServerConnection {
  /** Says good-bye to the server, before the connection is closed. */
  onClose: (() => Promise<void>) | undefined;
  readonly #client: Client;
  readonly #host: ConnectionHost;
  readonly #limits: ServerLimits;
  readonly #how: { kill(): void; end(): string };
  #listed: ListedTools = { tools: [], problems: [] };
  #listings = 0;
  #nextList = Promise.withResolvers<void>();
  #nextListing: NodeJS.Timeout | undefined;
  #calls = 0;
  #questions = 0;
  #isClosed = false;
  readonly #over = new AbortController();

  constructor(
    client: Client,
    host: ConnectionHost,
    limits: ServerLimits,
    how: { kill(): void; end(): string },
  ) {
    this.#client = client;
    this.#host = host;
    this.#limits = limits;
    this.#how = how;
    client.onclose = () => this.#ended();
    // Errors end the call that they belong to.
    client.onerror = () => {};
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...host.roots()] }));
    client.setRequestHandler(ElicitRequestSchema, ({ params }, { signal }) => {
      const { message } = params;
      return this.#ask(
        "url" in params
          ? { kind: "url", message, url: params.url }
          : { kind: "form", message, schema: membersOf(params).requestedSchema },
        AbortSignal.any([signal, this.#over.signal]),
      );
    });
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listLater());
  }

  get listed(): ListedTools {
    return this.#listed;
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Reads the list of tools, page by page. */
  async readTools(signal?: AbortSignal): Promise<void> {
    const found: unknown[] = [];
    let cursor: string | undefined;
    const hasTools = this.#client.getServerCapabilities()?.tools !== undefined;
    for (let page = 0; hasTools && page < maxPages; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const options = { timeout: this.#limits.silenceMs, ...(signal ? { signal } : {}) };
      const read = await this.#client.request({ method: "tools/list", params }, ToolPage, options);
      found.push(...read.tools);
      cursor = read.nextCursor;
      if (cursor === undefined || cursor === "") break;
    }
    this.#listed = readTools(found);
    this.#nextList.resolve();
    this.#nextList = Promise.withResolvers();
  }

  /**
   * Resolves once a tool of this name is listed, or could have been: some servers add tools only after they have started, for
   * example once they know the folders of the workspace.
   */
  async waitFor(tool: string, signal: AbortSignal): Promise<void> {
    if (this.#client.getServerCapabilities()?.tools?.listChanged !== true) return;
    const late = AbortSignal.timeout(this.#limits.lateMs);
    const over = AbortSignal.any([signal, this.#over.signal, late]);
    while (!this.#listed.tools.some(({ name }) => name === tool) && !over.aborted)
      await untilAborted(this.#nextList.promise, over).catch(() => {});
  }

  /** Calls a tool. Rejects with a Refusal that says what is known of the call. */
  async call(
    tool: string,
    input: Members,
    signal: AbortSignal,
    onProgress: (text: string) => void,
  ): Promise<ServerResult> {
    this.#calls += 1;
    if (this.#calls === 1) this.#questions = 0;
    try {
      const { content, structuredContent, isError } = await this.#client.request(
        { method: "tools/call", params: { name: tool, arguments: input } },
        CallResult,
        {
          signal,
          timeout: this.#limits.silenceMs,
          maxTotalTimeout: this.#limits.callMs,
          resetTimeoutOnProgress: true,
          onprogress: (progress) => onProgress(progressText(progress)),
        },
      );
      return { content, isError, ...(structuredContent ? { structuredContent } : {}) };
    } catch (error) {
      signal.throwIfAborted();
      const status = httpStatusOf(error);
      if (refusals.includes(status)) throw new RequestRefused(refusedText(status, error));
      if (this.isOver)
        throw new Refusal(`The server ended during the call: ${this.#how.end()}. ${mayHaveHappened.unknown}`);
      throw new Refusal(failureText(error));
    } finally {
      this.#calls -= 1;
    }
  }

  rootsChanged(): void {
    void this.#client.sendRootsListChanged().catch(() => {});
  }

  /** Ends the connection, and the server if it is a program; resolves once it has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#end();
    await this.onClose?.().catch(() => {});
    await this.#client.close().catch(() => {});
  }

  /** Ends both at once. */
  kill(): void {
    this.#isClosed = true;
    this.#end();
    this.#how.kill();
  }

  #end(): void {
    clearTimeout(this.#nextListing);
    this.#over.abort();
  }

  #ended(): void {
    this.#end();
    if (!this.#isClosed) this.#host.ended(this.#how.end());
    this.#isClosed = true;
  }

  /** The list is read at most once in an interval: a server can say without end that it has changed. */
  #listLater(): void {
    if (this.#nextListing !== undefined || this.isOver || this.#listings >= this.#limits.lists) return;
    this.#listings += 1;
    this.#nextListing = setTimeout(() => void this.#listAgain(), this.#limits.listMs).unref();
  }

  async #listAgain(): Promise<void> {
    const before = this.#listed;
    try {
      this.#nextListing = undefined;
      await this.readTools();
    } catch {
      // The calls of its tools fail with the reason.
      return;
    }
    if (hashesOf(before) !== hashesOf(this.#listed)) this.#host.toolsChanged(this.#listed);
  }

  /** Declines what no call has caused, and everything after some questions. */
  async #ask(question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer> {
    this.#questions += 1;
    if (this.#calls === 0 || this.#questions > this.#limits.questions) return { action: "decline" };
    return this.#host.ask(question, signal);
  }
}

function hashesOf({ tools }: ListedTools): string {
  return tools.map(({ hash }) => hash).join(" ");
}

function progressText({
  progress,
  total,
  message,
}: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}): string {
  const count = total === undefined ? String(progress) : `${progress} of ${total}`;
  return message === undefined ? count : `${count}: ${shortened(visibleLine(message), 200)}`;
}

function refusedText(status: number, error: unknown): string {
  if (status === 401 || status === 403) return deniedText(status);
  return `The server refused the call (${status}): ${shortened(visibleLine(messageOf(error)), 2_000)}`;
}

/** An error of the protocol tells whether the server has refused the call, or has not answered. */
function failureText(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const says = shortened(visibleLine(messageOf(error)), 2_000);
  if (code === requestTimeout) return `The server gave no result in time. ${mayHaveHappened.unknown}`;
  // What JSON-RPC reserves for requests that are not carried out.
  if (code === -32_601 || code === -32_602) return `The server refused the call: ${says}`;
  return `The call failed: ${says}. ${mayHaveHappened.unknown}`;
}

const requestTimeout = -32_001;
