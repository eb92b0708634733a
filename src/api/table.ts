import { account, wallet } from "./endpoints/account.ts";
import { audio } from "./endpoints/audio.ts";
import { augment } from "./endpoints/augment.ts";
import { billing } from "./endpoints/billing.ts";
import { chat } from "./endpoints/chat.ts";
import { images } from "./endpoints/images.ts";
import { keys } from "./endpoints/keys.ts";
import { models } from "./endpoints/models.ts";
import { rpc } from "./endpoints/rpc.ts";

/** The whole API surface: resource → call → row. */
export const table = { models, account, chat, keys, billing, rpc, images, audio, augment, wallet };
export type Table = typeof table;
