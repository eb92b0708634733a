import { ApiError, isApiError } from "../../../api/errors.ts";
import { classifyThrown } from "../../../api/networkError.ts";
import { isTooDeep, maxAnswerBytes, readText } from "../../../api/readText.ts";
import type { Transport } from "../../../api/transport/transport.ts";
import { exactJsonText, parseExact } from "../../../shared/exactJson.ts";
import { settings } from "../../../shared/ids.ts";
import type { RpcAnswer, Sender } from "./sender.ts";

/** How long a node on this machine may take. */
const patienceMs = 60_000;
/** The endpoint that its errors name. */
export const localNodeName = "the local node";

/** Sends to a node on this machine: no key, no service, no price. */
export function createLocalSender(transport: Transport, url: () => string): Sender {
  return {
    async send(_network, body, { signal }) {
      const startMs = performance.now();
      const request = {
        method: "POST",
        url: url(),
        headers: { "content-type": "application/json" },
        body: exactJsonText(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      };
      try {
        const { status, body: pieces } = await transport.send(request);
        const answer = readAnswer(await readText(pieces, maxAnswerBytes, () => {}), status);
        return {
          answer,
          status,
          ms: performance.now() - startMs,
          credits: 0,
          usd: 0,
          replayed: false,
          resends: 0,
        };
      } catch (error) {
        if (signal.aborted || isApiError(error)) throw signal.aborted ? signal.reason : error;
        throw unreached(request.url, classifyThrown(localNodeName, error, []));
      }
    },
  };
}

/** Nobody listens: then what is missing is a node, and the words say how to start one. */
function unreached(url: string, error: ApiError): ApiError {
  const { reason } = error.details;
  if (reason !== "refused" && reason !== "unreachable" && reason !== "name-not-found") return error;
  const message = `No node answers at ${url}, which the network local stands for. Start one, such as anvil of Foundry or npx hardhat node, and run the cell again; the setting ${settings.rpcLocalNode} takes another address.`;
  return new ApiError(error.kind, message, error.details);
}

function readAnswer(
  { text, isCut }: Awaited<ReturnType<typeof readText>>,
  status: number,
): RpcAnswer | RpcAnswer[] {
  if (isCut || isTooDeep(text))
    throw new ApiError("malformed-response", `${localNodeName} answered more than can be read`, {
      status,
      endpoint: localNodeName,
    });
  try {
    const answer: unknown = parseExact(text);
    if (typeof answer === "object" && answer !== null) return answer as RpcAnswer | RpcAnswer[];
  } catch {
    // Said below.
  }
  throw new ApiError("malformed-response", `${localNodeName} answered HTTP ${status} without JSON-RPC`, {
    status,
    endpoint: localNodeName,
  });
}
