import type { ChatRequest } from "../../../src/api/endpoints/chat/chatRequest.ts";

/** Whole nano-USD, whose sums are exact. */
export const nano = (amount: number) => Math.round(amount * 1e9);

/** In nano-USD. */
export const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + nano(amount), 0);

export function chatOf(content: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return { model: "guide", messages: [{ role: "user", content }], ...more };
}

/** Over 1,024 tokens, from which on prompts are cached (wire.md section 5). */
export const longText = "harbour ".repeat(1100);
