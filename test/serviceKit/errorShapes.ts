/** The shapes of error bodies (wire.md section 8), each as a body for a message. */
export const errorShapes = {
  text: (message: string) => ({ error: message }),
  tree: (message: string) => ({
    error: message,
    details: { _errors: [], model: { _errors: [message] } },
    issues: [{ code: "custom", path: ["model"], message }],
  }),
  details: (message: string) => ({ error: "Request failed", details: message }),
  nested: (message: string) => ({
    error: { message, type: "invalid_request_error", param: "model", code: "model_not_found" },
  }),
  requestId: (message: string) => ({ error: message, request_id: "req_0123456789abcdef" }),
  suggestedPrompt: (message: string) => ({ error: message, suggested_prompt: "a calm lake at dawn" }),
  code: (message: string) => ({ code: "FAILED", error: message }),
  issues: (message: string) => ({ error: [{ code: "custom", path: ["model"], message }] }),
  refunded: (message: string) => ({ error: message, credits_refunded: 20 }),
  customMessage: (message: string) => ({ error: "Too many requests", customMessage: message }),
  nestedCustomMessage: (message: string) => ({
    error: { message: "Too many requests", customMessage: message },
  }),
  wallet: (message: string) => ({
    x402Version: 1,
    error: message,
    accepts: [
      { scheme: "exact", network: "base", asset: "USDC", amount: "5000000", payTo: `0x${"0".repeat(40)}` },
    ],
    authOptions: ["bearer", "x402"],
  }),
  topUp: (message: string) => ({
    error: message,
    code: "INSUFFICIENT_BALANCE",
    reason: message,
    currentBalanceUsd: 0.02,
    suggestedTopUpUsd: 10,
    minimumTopUpUsd: 5,
    supportedTokens: ["USDC"],
    topUpInstructions: { step1: "Open your wallet", step2: "Send USDC on Base", step3: "Try again" },
  }),
  html: (message: string) => edgePage(message),
  plain: (message: string) => message,
} as const satisfies Record<string, (message: string) => object | string>;

export type ErrorShape = keyof typeof errorShapes;

/** The page of a proxy in place of the service. */
export function edgePage(title: string): string {
  return `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1><hr>edge</body></html>\n`;
}
