import { imageSize } from "../../api/imageSize.ts";
import { estimateImageTokens, estimateTokens, tokensPerMessage } from "../../shared/chat/tokenEstimate.ts";
import type { ChatTurn, MessagePart } from "./readMessages.ts";

/** Token counts: an estimate, corrected for each model by the usage that the service reports. */
export interface TokenCounts {
  countText(model: string, text: string): number;
  countTurn(model: string, turn: ChatTurn): number;
  /** Corrects the estimate of a model by the reported tokens of a prompt. `otherText` is sent besides the turns. */
  learn(model: string, turns: readonly ChatTurn[], otherText: string, promptTokens: number): void;
}

/** Prompts below this are mostly the service's own additions. */
const fewestTokens = 50;
const mostModels = 200;
/** Share of the newest report in the ratio. */
const weight = 0.3;
const [lowestRatio, highestRatio] = [0.5, 3];
/** For an image whose header is unknown. */
const unknownImageTokens = 1000;

export function createTokenCounts(): TokenCounts {
  /** Reported tokens per estimated token, by model; least recently used first. */
  const ratios = new Map<string, number>();
  const ratioOf = (model: string) => ratios.get(model) ?? 1;
  const corrected = (model: string, { text, other }: Load) => Math.ceil(text * ratioOf(model)) + other;
  return {
    countText: (model, text) => corrected(model, { text: estimateTokens(text), other: 0 }),
    countTurn: (model, turn) => corrected(model, loadOf(turn)),
    learn(model, turns, otherText, promptTokens) {
      const loads = turns.map(loadOf);
      const text = loads.reduce((sum, load) => sum + load.text, estimateTokens(otherText));
      const other = loads.reduce((sum, load) => sum + load.other, 0);
      if (text < fewestTokens || promptTokens <= other) return;
      const reported = Math.min(highestRatio, Math.max(lowestRatio, (promptTokens - other) / text));
      const before = ratios.get(model);
      ratios.delete(model);
      ratios.set(model, before === undefined ? reported : before + weight * (reported - before));
      for (const key of ratios.keys()) if (ratios.size > mostModels) ratios.delete(key);
    },
  };
}

/** Estimated tokens of a message; the ratio applies to text only. */
interface Load {
  readonly text: number;
  readonly other: number;
}

function loadOf({ parts }: ChatTurn): Load {
  const loads = parts.map(partLoad);
  return {
    text: loads.reduce((sum, { text }) => sum + text, 0),
    other: loads.reduce((sum, { other }) => sum + other, tokensPerMessage),
  };
}

function partLoad(part: MessagePart): Load {
  switch (part.kind) {
    case "image": {
      const size = imageSize(part.data);
      return { text: 0, other: size ? estimateImageTokens(size.width, size.height) : unknownImageTokens };
    }
    case "call":
      return { text: estimateTokens(part.name + JSON.stringify(part.input ?? {})), other: tokensPerMessage };
    case "result":
      return loadOf({ role: "user", parts: part.parts });
    default:
      return { text: estimateTokens(part.text), other: 0 };
  }
}
