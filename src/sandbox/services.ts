import { billingHandlers } from "./billing/handlers.ts";
import { guide, thinker } from "./chat/guide/guide.ts";
import { FillIns } from "./chat/local/fillIn.ts";
import { chatHandler } from "./chat/reply/complete.ts";
import type { Authors } from "./chat/reply/compose.ts";
import { scripted } from "./chat/scripted/scripted.ts";
import { viewer } from "./chat/viewer/viewer.ts";
import { parseText } from "./documents/handlers.ts";
import { createEmbeddings } from "./embeddings/handlers.ts";
import { editImage, generateImage, multiEditImage } from "./images/handlers.ts";
import { keyHandlers } from "./keys/handlers.ts";
import { walletHandlers } from "./keys/walletHandlers.ts";
import type { Media, MediaHandler } from "./media.ts";
import { rateLimitLog, rateLimits } from "./resources/account.ts";
import { listMapping, listModels, listTraits, readModel } from "./resources/models.ts";
import type { RpcProxy } from "./rpc/proxy.ts";
import { rpcServices } from "./rpc/services.ts";
import { scrapePage } from "./scrape/handlers.ts";
import { searchWeb } from "./search/handlers.ts";
import type { SandboxService, Services } from "./service.ts";
import { createSpeech, createVoice } from "./speech/handlers.ts";
import type { Handler, State } from "./state/state.ts";
import { veniceOnly } from "./veniceOnly.ts";

export interface ServiceDeps extends Pick<State, "keys" | "billing" | "now"> {
  readonly rpc: RpcProxy;
  readonly media: Media;
  /** Besides those of the sandbox's own models, or in place of them. */
  readonly authors?: Authors | undefined;
}

/** The handlers of all routes. test/unit/sandbox/http/routes.test.ts compares them with the table. */
export function createServices({ keys, billing, now, rpc, media, authors }: ServiceDeps): Services {
  return {
    "GET /models": { handle: listModels },
    "GET /models/{id}": { handle: readModel },
    "GET /models/traits": { handle: listTraits },
    "GET /models/compatibility_mapping": { handle: listMapping },
    "GET /api_keys/rate_limits": { handle: rateLimits },
    "GET /api_keys/rate_limits/log": { handle: veniceOnly(rateLimitLog) },
    "POST /chat/completions": {
      handle: chatHandler(
        { guide, thinker, scripted, probable: guide, viewer, ...authors },
        {
          readDocument: (bytes, signal) => media.workerPool.run("parseDocument", bytes, signal),
          fillIns: new FillIns(now),
          workerPool: media.workerPool,
        },
      ),
      modelType: "text",
    },
    ...withLimits(keyHandlers(keys), { "POST /api_keys": creationLimit }),
    ...withLimits(billingHandlers(billing), {}),
    ...withLimits(walletHandlers, {}),
    ...rpcServices(rpc),
    ...mediaServices(media),
  };
}

/** spec E6. */
const creationLimit = { requests: 20 };

function withLimits(
  handlers: Readonly<Record<string, Handler>>,
  limits: Readonly<Record<string, { requests: number }>>,
): Services {
  const services = Object.entries(handlers).map(([id, handle]) => {
    const limit = limits[id];
    return [id, limit ? { handle, limit } : { handle }];
  });
  return Object.fromEntries(services);
}

/** The services for images, embeddings, speech, documents, web pages and search. Each validates its own input. */
export function mediaServices(media: Media): Services {
  const serve = (handle: MediaHandler): SandboxService => ({
    checksItself: true,
    handle: ({ dialect, catalog, now, billing }, call) =>
      handle({ dialect, catalog, now, billing, media }, call),
  });
  return {
    "POST /images/generations": { ...serve(generateImage), modelType: "image" },
    "POST /image/edit": { ...serve(editImage), modelType: "inpaint" },
    "POST /image/multi-edit": { ...serve(multiEditImage), modelType: "inpaint" },
    "POST /embeddings": { ...serve(createEmbeddings), modelType: "embedding" },
    "POST /audio/speech": { ...serve(createSpeech), modelType: "tts" },
    "POST /audio/voices": { ...serve(createVoice), modelType: "tts" },
    "POST /augment/search": serve(searchWeb),
    "POST /augment/scrape": serve(scrapePage),
    "POST /augment/text-parser": serve(parseText),
  };
}
