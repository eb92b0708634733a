import type { ChatChunk, ReplyMessage } from "../endpoints/chat/chatReply.ts";

type AnswerPart = "text" | "reasoning";

/** Text of one choice, in the order of the stream. */
export interface TextPiece {
  readonly choice: number;
  readonly part: AnswerPart;
  text: string;
  /** All text of this choice before was reasoning; this piece has none. */
  readonly endsReasoning?: true;
}

/** Splits chunks into text per choice and part, in order. A refusal is shown as text and also reported. */
export function createTextSplitter() {
  const withText = new Set<number>();
  const refused = new Set<number>();
  const textOfDelta = (index: number, { content, refusal }: ReplyMessage): string => {
    if (content) withText.add(index);
    if (!refusal) return content ?? "";
    // Text before a refusal is a separate paragraph.
    const gap = withText.has(index) && !refused.has(index) ? "\n\n" : "";
    refused.add(index);
    return `${content ?? ""}${gap}${refusal}`;
  };
  return {
    /** Choices whose model refuses. */
    refused: refused as ReadonlySet<number>,
    split(chunks: readonly ChatChunk[]): TextPiece[] {
      const pieces: TextPiece[] = [];
      const add = (choice: number, part: AnswerPart, text: string | null | undefined) => {
        if (!text) return;
        const last = pieces.at(-1);
        if (last?.choice === choice && last.part === part && !last.endsReasoning) last.text += text;
        else pieces.push({ choice, part, text });
      };
      for (const { choices } of chunks) {
        for (const { index, delta } of choices) {
          if (delta.ends_reasoning)
            pieces.push({ choice: index, part: "reasoning", text: "", endsReasoning: true });
          if (!delta.reasoning_encrypted) add(index, "reasoning", delta.reasoning_content);
          add(index, "text", textOfDelta(index, delta));
        }
      }
      return pieces;
    },
  };
}
