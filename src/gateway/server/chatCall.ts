import type { ChatChunk } from "../../api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../api/endpoints/chat/chatRequest.ts";
import { ApiError } from "../../api/errors/errors.ts";
import type { EventStream } from "../../api/stream/eventStream.ts";
import type { AgentFormat, ReadRequest, WireEvent } from "../formats/agentFormat.ts";
import type { GatewayClient } from "./gatewayClient.ts";
import type { GatewayRequest, OpenedService } from "./gatewayDeps.ts";
import { causeOf, checkPrivate, overService } from "./overService.ts";
import { readJsonBody } from "./readJsonBody.ts";
import { wireErrorOf } from "./wireErrorOf.ts";
import { writeEvents, writeJson } from "./writeAnswer.ts";

/** Answers a request of this format over the chat route of the service. */
export async function runChat(format: AgentFormat, request: GatewayRequest): Promise<void> {
  const { message, client, deps, newId } = request;
  const body = await readJsonBody(message);
  const read = format.read(body, { client: client.id, now: deps.now, newId });
  await overService(request, read.session, async (service, options) => {
    const { model, fallbacks = [] } = read.request;
    await checkPrivate(service, client, [model, ...fallbacks.map((other) => other.model)]);
    const sent = {
      ...(await cacheMembers(service, client, model)),
      ...(await withinModel(service, read.request)),
      // The ledger needs the counts, whatever the client asked for.
      stream_options: { include_usage: true },
    };
    const stream = await service.api.chat.stream(sent, options);
    await (read.isStreamed ? writeStream : writeWhole)(request, read, stream, service);
  });
}

/** What the session asks of the caches of the service; what the agent has set itself wins. */
async function cacheMembers(
  service: OpenedService,
  { isCachedLong }: GatewayClient,
  model: string,
): Promise<Pick<ChatRequest, "prompt_cache_key" | "prompt_cache_retention">> {
  const isLong = isCachedLong && (await service.cachesPrompts(model));
  return { prompt_cache_key: service.cacheKey, ...(isLong ? { prompt_cache_retention: "24h" } : {}) };
}

/**
 * The request with the length of its answer bounded by what the model can write. Agents ask for as many tokens as their own
 * models can write, which a smaller one refuses; those that ask for no length would have the price of the whole context
 * reserved.
 */
async function withinModel(service: OpenedService, request: ChatRequest): Promise<ChatRequest> {
  const { max_completion_tokens, max_tokens, ...others } = request;
  const asked = max_completion_tokens ?? max_tokens ?? Number.POSITIVE_INFINITY;
  const longest = await service.longestAnswer(request.model);
  return longest === undefined || asked <= longest ? request : { ...others, max_completion_tokens: longest };
}

type WriteAnswer = (
  request: GatewayRequest,
  read: ReadRequest,
  stream: EventStream<ChatChunk>,
  service: OpenedService,
) => Promise<void>;

const writeStream: WriteAnswer = async ({ res, abort, deps }, read, stream, service) => {
  const writer = read.openWriter();
  const pass = (events: readonly WireEvent[]) => writeEvents(res, events, abort.signal);
  res.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache",
    ...(stream.requestId ? { "x-request-id": stream.requestId } : {}),
  });
  res.flushHeaders();
  try {
    await pass(writer.begin());
    for await (const batch of stream.batches()) await pass(batch.flatMap((chunk) => writer.add(chunk)));
    await pass(writer.end(stream.end ?? "truncated"));
  } catch (error) {
    const { error: words } = wireErrorOf(causeOf(abort.signal, error), service.name, deps.now());
    await pass(writer.fail(words));
  }
  res.end();
};

const writeWhole: WriteAnswer = async ({ res }, read, stream) => {
  const writer = read.openWriter();
  writer.begin();
  for await (const batch of stream.batches()) for (const chunk of batch) writer.add(chunk);
  if (stream.end === "truncated")
    throw new ApiError("malformed-response", "the answer ended before it was complete", {
      mayHaveArrived: true,
    });
  writer.end("done");
  await writeJson(res, writer.whole(), stream.requestId);
};
