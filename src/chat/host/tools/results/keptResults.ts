import { createHash } from "node:crypto";
import { Refusal } from "../../../../platform/errors/refusal.ts";
import type { BlobStore } from "../../../../platform/files/blobStore.ts";
import type { ToolCallCard } from "../../../protocol/chatMessages.ts";
import type { LiveChat } from "../../conversation/liveChat.ts";
import { boundedToolText, countRows, maxResultLength } from "./resultText.ts";

export interface ResultBounds {
  /** Characters that are kept of one result. */
  readonly ofOne: number;
  /** Characters that are kept of the results of a conversation that are too long for their calls. The oldest are dropped. */
  readonly ofAll: number;
}

const usualBounds: ResultBounds = { ofOne: 8_000_000, ofAll: 32_000_000 };

/** The members of a call that are its result. */
export type CallResult = Pick<ToolCallCard, "result" | "whole">;

export interface KeptResultsDeps {
  readonly chat: Pick<LiveChat, "tree" | "change">;
  readonly blobs: Pick<BlobStore, "put" | "read">;
  readonly bounds?: ResultBounds;
}

/** The whole results of the calls of one conversation: in its log, and as files if they are long. */
export class KeptResults {
  readonly #chat: KeptResultsDeps["chat"];
  readonly #blobs: KeptResultsDeps["blobs"];
  readonly #bounds: ResultBounds;

  constructor({ chat, blobs, bounds = usualBounds }: KeptResultsDeps) {
    this.#chat = chat;
    this.#blobs = blobs;
    this.#bounds = bounds;
  }

  /** What is stored of a result with its call. Never rejects: without room on the disk, the part that is shown is kept. */
  async keep(text: string): Promise<CallResult> {
    const result = boundedToolText(text);
    if (text.length <= maxResultLength) return { result };
    const kept = boundedToolText(text, this.#bounds.ofOne);
    const blob = await this.#blobs.put(kept, "txt").catch(() => undefined);
    if (blob === undefined) return { result };
    this.#dropOldest(kept.length);
    return { result, whole: { blob, length: kept.length, rows: countRows(kept) } };
  }

  /** The text of a result by its handle. Throws a Refusal if this conversation has none, or none any more. */
  async find(handle: string): Promise<string> {
    for (const message of this.#chat.tree.nodes) {
      const calls = (message.role === "assistant" && message.calls) || [];
      const call = calls.find(({ id }) => handleOf(message.id, id) === handle);
      if (call) return this.#textOf(call, handle);
    }
    throw new Refusal(`There is no result ${handle} in this chat. Handles stand where a result was cut.`);
  }

  async #textOf({ state, result, whole }: ToolCallCard, handle: string): Promise<string> {
    // The user has not sent a result that is under review.
    if (result === undefined || (state !== "done" && state !== "failed" && state !== "stopped"))
      throw new Refusal(`The result ${handle} is not known yet.`);
    if (whole === undefined) return result;
    const bytes = whole.blob === undefined ? undefined : await this.#blobs.read(whole.blob);
    if (bytes) return new TextDecoder().decode(bytes);
    throw new Refusal(`The result ${handle} is no longer kept whole. Call the tool again that gave it.`);
  }

  /** Makes room for the files of new results. */
  #dropOldest(length: number): void {
    const answers = [...this.#chat.tree.nodes].flatMap((message) =>
      message.role === "assistant" && message.calls ? [{ id: message.id, calls: message.calls }] : [],
    );
    let total = answers.reduce((sum, { calls }) => sum + lengthOf(calls), length);
    for (const { id, calls } of answers) {
      if (total <= this.#bounds.ofAll) return;
      total -= lengthOf(calls);
      if (lengthOf(calls) > 0)
        this.#chat.change({ op: "patch", id, patch: { calls: calls.map(withoutFile) } });
    }
  }
}

/** Characters in the files of the results of these calls. */
function lengthOf(calls: readonly ToolCallCard[]): number {
  return calls.reduce((sum, { whole }) => sum + (whole?.blob === undefined ? 0 : whole.length), 0);
}

/** The number of its rows stays: what was sent of it must not change. */
function withoutFile(call: ToolCallCard): ToolCallCard {
  if (call.whole === undefined) return call;
  const { blob: _, ...whole } = call.whole;
  return { ...call, whole };
}

/** The name of a result: services number the calls of each answer from the start. */
export function handleOf(answerId: string, callId: string): string {
  return createHash("sha256").update(`${answerId}\n${callId}`).digest("hex").slice(0, 8);
}
