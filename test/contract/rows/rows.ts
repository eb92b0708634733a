import type { RowSuite } from "../suite/suite.ts";
import { rateLimitLog, rateLimits } from "./account.ts";
import * as audio from "./audio.ts";
import * as augment from "./augment.ts";
import { history, historyCsv, usage, usageCsv } from "./billing/billing.ts";
import { analytics, balance } from "./billing/spending.ts";
import { chatAbilities } from "./chat/chatAbilities.ts";
import { stream } from "./chat/chatStream.ts";
import { complete } from "./chat/chatWhole.ts";
import * as embeddings from "./embeddings.ts";
import * as imageEdits from "./images/imageEdits.ts";
import * as images from "./images/images.ts";
import { create } from "./keys/keyCreation.ts";
import * as keys from "./keys/keys.ts";
import { compatibilityMapping, list, read as readModel, traits } from "./models.ts";
import * as rpc from "./rpc.ts";
import { transactions, balance as walletBalance } from "./wallet.ts";

/** The cases of each row, by its name in the table. rows.test.ts fails for a row that is missing or obsolete here. */
export const rowSuites: Readonly<Record<string, RowSuite>> = {
  "models.list": list,
  "models.read": readModel,
  "models.traits": traits,
  "models.compatibilityMapping": compatibilityMapping,
  "account.rateLimits": rateLimits,
  "account.rateLimitLog": rateLimitLog,
  "chat.complete": { ...complete, sandboxed: [...complete.sandboxed, ...chatAbilities] },
  "chat.stream": stream,
  "keys.create": create,
  "keys.read": keys.read,
  "keys.list": keys.list,
  "keys.update": keys.update,
  "keys.revoke": keys.revoke,
  "billing.usage": usage,
  "billing.usageCsv": usageCsv,
  "billing.history": history,
  "billing.historyCsv": historyCsv,
  "billing.analytics": analytics,
  "billing.balance": balance,
  "rpc.call": rpc.call,
  "rpc.networks": rpc.networks,
  "images.generate": images.generate,
  "images.edit": imageEdits.edit,
  "images.multiEdit": imageEdits.multiEdit,
  "audio.speech": audio.speech,
  "audio.createVoice": audio.createVoice,
  "embeddings.create": embeddings.create,
  "augment.search": augment.search,
  "augment.scrape": augment.scrape,
  "augment.parse": augment.parse,
  "augment.parseText": augment.parseText,
  "wallet.balance": walletBalance,
  "wallet.transactions": transactions,
};
