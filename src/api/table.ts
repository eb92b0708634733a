import { account } from "./endpoints/account.ts";
import { chat } from "./endpoints/chat.ts";
import { models } from "./endpoints/models.ts";

/** The whole API surface: resource → call → row. */
export const table = { models, account, chat };
export type Table = typeof table;
