import type { ChatChunk, ReplyMessage } from "./endpoints/chat/chatReply.ts";
import type { EventShaper } from "./stream/eventShaper.ts";
import { ReasoningTags, withPieces } from "./stream/reasoningTags.ts";

/** Moves reasoning that a model writes between tags into the member for it, in each choice of a stream. */
export function createReasoningSplit(): EventShaper<ChatChunk> {
  const tagsOf = new Map<number, ReasoningTags>();
  const shaped = (choice: ChatChunk["choices"][number]): ChatChunk["choices"][number] => {
    const { index, delta, finish_reason } = choice;
    const { content, reasoning_content } = delta;
    if (!content && !reasoning_content && !finish_reason) return choice;
    const tags = tagsOf.get(index) ?? new ReasoningTags();
    tagsOf.set(index, tags);
    if (reasoning_content) tags.seeReasoning();
    const pieces = content ? tags.add(content) : [];
    if (finish_reason) pieces.push(...tags.end());
    const [first] = pieces;
    const isSame = pieces.length === 1 && first?.part === "text" && first.text === content;
    return isSame || (pieces.length === 0 && !content)
      ? choice
      : { ...choice, delta: withPieces(delta, pieces) };
  };
  return {
    add(chunk) {
      const choices = chunk.choices.map(shaped);
      return choices.every((choice, index) => choice === chunk.choices[index])
        ? chunk
        : { ...chunk, choices };
    },
    end() {
      const choices = [...tagsOf].flatMap(([index, tags]) => {
        const pieces = tags.end();
        return pieces.length === 0 ? [] : [{ index, delta: withPieces<ReplyMessage>({}, pieces) }];
      });
      return choices.length === 0 ? undefined : { choices };
    },
  };
}
