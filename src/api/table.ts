import { ownMember } from "../shared/members.ts";
import type { Endpoint } from "./endpoint.ts";
import { account, wallet } from "./endpoints/account/account.ts";
import { billing } from "./endpoints/account/billing.ts";
import { keys } from "./endpoints/account/keys.ts";
import { audio } from "./endpoints/audio.ts";
import { augment } from "./endpoints/augment.ts";
import { chat } from "./endpoints/chat/chat.ts";
import { embeddings } from "./endpoints/embeddings.ts";
import { images } from "./endpoints/images.ts";
import { models } from "./endpoints/models.ts";
import { rpc } from "./endpoints/rpc.ts";

/** The whole API surface: resource → call → row. */
export const table = {
  models,
  account,
  chat,
  keys,
  billing,
  rpc,
  images,
  audio,
  embeddings,
  augment,
  wallet,
};
export type Table = typeof table;

/** The row with a name such as `chat.stream`. */
export function rowOf(name: string): Endpoint | undefined {
  const [resource = "", call = ""] = name.split(".");
  const rows: Readonly<Record<string, Readonly<Record<string, Endpoint>>>> = table;
  const calls = ownMember(rows, resource);
  return calls && ownMember(calls, call);
}
