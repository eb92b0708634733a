import { membersOf } from "../../../shared/members.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import type { WireEvent } from "../agentFormat.ts";

interface Citation {
  readonly type: "web_search_result_location";
  readonly url: string;
  readonly title: string;
  readonly cited_text: string;
  readonly encrypted_index: string;
}
const caller = { type: "direct" } as const;

/** A block of an answer, with its members as they are when it begins. */
export const blocks = {
  // Not all clients take null for a text without sources, and some want the member.
  text: () => ({ type: "text", text: "", citations: [] }),
  thinking: () => ({ type: "thinking", thinking: "", signature: "" }),
  redacted: (data: string) => ({ type: "redacted_thinking", data }),
  toolUse: (id: string, name: string) => ({ type: "tool_use", id, name, input: {}, caller }),
  search: (id: string) => ({ type: "server_tool_use", id, name: "web_search", input: { query: "" }, caller }),
  found: (
    id: string,
    results: readonly { readonly url: string; readonly title?: string | null | undefined }[],
  ) => ({
    type: "web_search_tool_result",
    tool_use_id: id,
    caller,
    content: results.map(({ url, title }) => ({
      type: "web_search_result",
      url,
      title: title ?? url,
      encrypted_content: "",
      page_age: null,
    })),
  }),
} as const;
type Kind = keyof typeof blocks;
type Block = ReturnType<(typeof blocks)[Kind]>;

type Delta =
  | { readonly type: "text_delta"; readonly text: string }
  | { readonly type: "thinking_delta"; readonly thinking: string }
  | { readonly type: "signature_delta"; readonly signature: string }
  | { readonly type: "input_json_delta"; readonly partial_json: string }
  | { readonly type: "citations_delta"; readonly citation: Citation };

/** An event as this format writes it: its name is its type. */
export function wireEvent(event: { readonly type: string }): WireEvent {
  return { name: event.type, data: JSON.stringify(event) };
}

/**
 * Writes the blocks of an answer, strictly one after the other. `content` has them whole; a stream needs it not, so that
 * it takes no memory for what was sent.
 */
export class BlockWriter {
  readonly content: object[] = [];
  readonly #isKept: boolean;
  #events: WireEvent[] = [];
  #index = -1;
  #open: Block["type"] | undefined;
  /** The pieces of the open block, by the type of their delta. */
  #pieces: Delta[] = [];
  #block: Block | undefined;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** The type of the open block. */
  get open(): Block["type"] | undefined {
    return this.#open;
  }

  /** The events since the last call. */
  take(): WireEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  event(event: { readonly type: string }): void {
    this.#events.push(wireEvent(event));
  }

  begin(block: Block): void {
    this.close();
    this.#index += 1;
    this.#open = block.type as Block["type"];
    this.#block = block;
    this.event({ type: "content_block_start", ...{ index: this.#index, content_block: block } });
  }

  add(delta: Delta): void {
    if (this.#isKept) this.#pieces.push(delta);
    this.event({ type: "content_block_delta", ...{ index: this.#index, delta } });
  }

  close(): void {
    if (this.#block === undefined) return;
    this.event({ type: "content_block_stop", ...{ index: this.#index } });
    if (this.#isKept) this.content.push(wholeBlock(this.#block, this.#pieces));
    this.#open = undefined;
    this.#block = undefined;
    this.#pieces = [];
  }
}

function wholeBlock(block: Block, pieces: readonly Delta[]): object {
  const text = joined(pieces, (piece) => (piece.type === "text_delta" ? piece.text : ""));
  const thinking = joined(pieces, (piece) => (piece.type === "thinking_delta" ? piece.thinking : ""));
  const signature = joined(pieces, (piece) => (piece.type === "signature_delta" ? piece.signature : ""));
  const json = joined(pieces, (piece) => (piece.type === "input_json_delta" ? piece.partial_json : ""));
  const citations = pieces.flatMap((piece) => (piece.type === "citations_delta" ? [piece.citation] : []));
  switch (block.type) {
    case "text":
      return { ...block, text, citations };
    case "thinking":
      return { ...block, thinking, signature };
    case "tool_use":
      return { ...block, input: membersOf(parseJson(json)) };
    default:
      return block;
  }
}

function joined(pieces: readonly Delta[], textOf: (piece: Delta) => string): string {
  return pieces.map(textOf).join("");
}
