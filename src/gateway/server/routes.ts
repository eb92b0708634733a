import type { IncomingMessage } from "node:http";
import type { AgentFormat } from "../formats/agentFormat.ts";
import { chatFormat } from "../formats/chat/chatFormat.ts";
import { completionsFormat } from "../formats/completions/completionsFormat.ts";
import { messagesFormat } from "../formats/messages/messagesFormat.ts";
import { createResponsesFormat } from "../formats/responses/responsesFormat.ts";
import { runChat } from "./chatCall.ts";
import type { GatewayRequest } from "./gatewayDeps.ts";
import { runCountTokens, runEmbeddings, runImage, runModel, runModels, runSpeech } from "./otherCalls.ts";
import { Refused } from "./refused.ts";
import type { ErrorFormat } from "./writeAnswer.ts";

/** What answers a method and a path. */
interface Route {
  /** How its errors are written. */
  readonly format: ErrorFormat;
  run(request: GatewayRequest): Promise<void>;
}

const ofChat = (format: AgentFormat): Route => ({ format, run: (request) => runChat(format, request) });
const asOpenAi = (run: Route["run"]): Route => ({ format: chatFormat, run });

/**
 * The route of a request. A query, as some clients add, changes nothing. Libraries of Anthropic, which name themselves in
 * a header, get errors in the words of their own format.
 */
export type RouteAt = (message: Pick<IncomingMessage, "method" | "url" | "headers">) => Route;

/** The routes of one gateway, with the answers that its clients can continue. */
export function createRoutes(): RouteAt {
  const routes: Readonly<Record<string, Route>> = {
    "POST /v1/chat/completions": ofChat(chatFormat),
    "POST /v1/completions": ofChat(completionsFormat),
    "POST /v1/responses": ofChat(createResponsesFormat()),
    "POST /v1/messages": ofChat(messagesFormat),
    "POST /v1/messages/count_tokens": { format: messagesFormat, run: runCountTokens },
    "POST /v1/embeddings": asOpenAi(runEmbeddings),
    "POST /v1/images/generations": asOpenAi(runImage),
    "POST /v1/audio/speech": asOpenAi(runSpeech),
    "GET /v1/models": asOpenAi(runModels),
  };
  return ({ method = "GET", url = "/", headers }) => {
    const name = `${method} ${url.split("?", 1)[0]}`;
    const known = Object.hasOwn(routes, name) ? routes[name] : modelRoute(name);
    const route = known ?? unknown(name.slice(0, 200), [...Object.keys(routes), `${modelPath}MODEL`]);
    return headers["anthropic-version"] === undefined ? route : { ...route, format: messagesFormat };
  };
}

const modelPath = "GET /v1/models/";

/** One model. Its id may have slashes, which some clients escape. */
function modelRoute(name: string): Route | undefined {
  if (!name.startsWith(modelPath)) return undefined;
  return asOpenAi((request) => runModel(request, name.slice(modelPath.length)));
}

function unknown(name: string, known: readonly string[]): Route {
  const sentence = `This gateway has no ${JSON.stringify(name)}. It has ${known.join(", ")}. Check the base URL of the client: it ends in /v1, or for Anthropic's libraries in the port.`;
  return asOpenAi(async () => {
    throw new Refused({ status: 404, sentence });
  });
}
