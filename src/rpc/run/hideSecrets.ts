import { ApiError, isApiError } from "../../api/errors/errors.ts";
import { type HideSecrets, hidden } from "../language/environment/environments.ts";
import type { RpcAnswer, Sender } from "./senders.ts";

/**
 * A sender whose answers and errors don't contain secrets, so that nothing that is made of them does: results, values of
 * names, history and log. The record of the request has none, either.
 */
export function hidingSender(sender: Sender, hide: HideSecrets | undefined): Sender {
  if (!hide) return sender;
  return {
    async send(network, body, options) {
      try {
        const sent = await sender.send(network, body, { ...options, hide });
        // The results of a request with secrets are hidden one by one, once the secrets are known.
        return options.hasSecretReply ? sent : { ...sent, answer: hiddenAnswer(sent.answer, hide) };
      } catch (error) {
        throw hiddenError(error, hide);
      }
    },
  };
}

type Answer = RpcAnswer | readonly RpcAnswer[];

/** The ids stay, because they assign answers to calls. */
function hiddenAnswer(answer: Answer, hide: HideSecrets): Answer {
  const one = (single: RpcAnswer): RpcAnswer => {
    if (typeof single !== "object" || single === null) return single;
    const { id } = single;
    return { ...(hiddenIn(single, hide) as RpcAnswer), ...(id === undefined ? {} : { id }) };
  };
  return Array.isArray(answer) ? answer.map(one) : one(answer as RpcAnswer);
}

/** A text without secrets. */
export function hiddenText(text: string, hide: HideSecrets | undefined): string {
  return hide?.(text) ?? text;
}

/** An error without secrets. */
export function hiddenError(error: unknown, hide: HideSecrets | undefined): unknown {
  if (!hide) return error;
  if (isApiError(error)) {
    const details = hiddenIn(error.details, hide) as ApiError["details"];
    return new ApiError(error.kind, hide(error.message), details);
  }
  if (!(error instanceof Error) || hide(error.message) === error.message) return error;
  return new Error(hide(error.message));
}

/** A value without secrets in any of its texts, numbers and names of members. */
export function hiddenIn(value: unknown, hide: HideSecrets): unknown {
  if (typeof value === "string") return hide(value);
  if (typeof value === "number" || typeof value === "bigint") {
    const text = String(value);
    return hide(text) === hidden ? hidden : value;
  }
  if (Array.isArray(value)) return value.map((one) => hiddenIn(one, hide));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [hide(key), hiddenIn(one, hide)]));
}
