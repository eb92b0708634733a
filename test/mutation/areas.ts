import { audioArea } from "./areas/audio.ts";
import { augmentArea } from "./areas/augment.ts";
import { chatArea } from "./areas/chat.ts";
import { clientArea } from "./areas/client.ts";
import { completionsArea } from "./areas/completions.ts";
import { httpArea } from "./areas/http.ts";
import { imagesArea } from "./areas/images.ts";
import { billingArea, keysArea } from "./areas/keysAndBilling.ts";
import { rpcArea } from "./areas/rpc.ts";
import type { Area } from "./mutant.ts";

export const areas: Readonly<Record<string, Area>> = {
  client: clientArea,
  http: httpArea,
  chat: chatArea,
  keys: keysArea,
  billing: billingArea,
  rpc: rpcArea,
  images: imagesArea,
  audio: audioArea,
  augment: augmentArea,
  completions: completionsArea,
};
