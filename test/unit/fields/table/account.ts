import { commands } from "../../../../src/shared/names/ids.ts";
import type { FieldTable, Place, Places } from "../place.ts";

const inKeys: Place = { shown: "Keys" };
const inUsage: Place = { shown: "Usage" };
const inLimits: Place = { shown: "Limits" };
const inDashboard: Place = { shown: "Usage dashboard" };
const create = (step: string): Place => ({ command: commands.accountCreateKey, step });
const change = (step: string): Place => ({ command: commands.accountEditKey, step });
const chosenKey: Place = { automatic: "the chosen key" };
const falseFails: Place = { automatic: "false is a failure, which is said" };

const keyRecord: Places = {
  "data.id": inKeys,
  "data.apiKeyType": inKeys,
  "data.description": inKeys,
  "data.consumptionLimits.usd": inKeys,
  "data.consumptionLimits.diem": inKeys,
  "data.consumptionLimits.vcu": inKeys,
  "data.limitPeriod": inKeys,
  "data.expiresAt": inKeys,
  "data.createdAt": inKeys,
  "data.lastUsedAt": inKeys,
  "data.last6Chars": inKeys,
  "data.usage.trailingSevenDays.usd": inKeys,
  "data.usage.trailingSevenDays.vcu": inKeys,
  "data.usage.trailingSevenDays.diem": inKeys,
  "data.modelPrivacy": inKeys,
};

const shownAfterwards: Place = { automatic: "the same as was entered; the key's row shows it afterwards" };

export const keys: FieldTable["keys"] = {
  create: {
    request: {
      apiKeyType: create("What may the key do?"),
      description: create("Name of the key, as shown in lists and usage."),
      "consumptionLimit.usd": create("Limit in USD. Leave it empty for no limit."),
      "consumptionLimit.diem": create("Limit in DIEM. Leave it empty for no limit."),
      "consumptionLimit.vcu": { unused: "deprecated in favour of diem" },
      limitPeriod: create("Select the period of the limit"),
      expiresAt: create("When does the key expire?"),
      modelPrivacy: create("Which models may the key call?"),
    },
    reply: {
      success: { automatic: "anything but true is a failure, which is said" },
      "data.id": { automatic: "remembered, so that a service without a list of keys shows it" },
      "data.apiKey": inKeys,
      "data.apiKeyType": shownAfterwards,
      "data.description": shownAfterwards,
      "data.consumptionLimit.usd": shownAfterwards,
      "data.consumptionLimit.diem": shownAfterwards,
      "data.consumptionLimit.vcu": shownAfterwards,
      "data.limitPeriod": shownAfterwards,
      "data.expiresAt": shownAfterwards,
      "data.modelPrivacy": shownAfterwards,
    },
  },
  read: {
    request: { id: { command: commands.accountShowKey, step: "The id of a key at" } },
    reply: { ...keyRecord, "data.id": { automatic: "the same as was asked for" } },
  },
  list: { request: {}, reply: keyRecord },
  update: {
    request: {
      id: chosenKey,
      description: change("Name"),
      expiresAt: change("Expiry"),
      "consumptionLimit.usd": change("Limit in USD"),
      "consumptionLimit.diem": change("Limit in DIEM"),
      "consumptionLimit.vcu": change("Limit in VCU (deprecated)"),
      limitPeriod: change("Period of the limit"),
      modelPrivacy: change("Models that it may call"),
    },
    reply: { success: falseFails },
  },
  revoke: { request: { id: chosenKey }, reply: { success: falseFails } },
};

const from: Place = { control: "From (UTC)", in: "usage dashboard" };
const to: Place = { control: "To (UTC)", in: "usage dashboard" };
const paged: Place = { automatic: "the pages of a bill are read one after the other" };
const currency: Place = { control: "Currency", in: "usage dashboard" };

const usageRequest: Places = {
  currency,
  startDate: from,
  endDate: to,
  limit: paged,
  page: paged,
  sortOrder: { automatic: "oldest first; the columns of the grid sort" },
};
const historyRequest: Places = {
  startTimestamp: from,
  endTimestamp: to,
  currency,
  pageSize: paged,
  cursor: paged,
};

const record: Places = {
  "data.timestamp": inDashboard,
  "data.sku": inDashboard,
  "data.pricePerUnitUsd": inDashboard,
  "data.units": inDashboard,
  "data.amount": inDashboard,
  "data.currency": inDashboard,
  "data.notes": inDashboard,
  "data.inferenceDetails.requestId": inDashboard,
  "data.inferenceDetails.inferenceExecutionTime": inDashboard,
  "data.inferenceDetails.promptTokens": inDashboard,
  "data.inferenceDetails.completionTokens": inDashboard,
};
const exported = { "(body)": { command: commands.accountExportUsage } } as const;
const pages: Place = { automatic: "tells whether there is another page" };
const daily: Place = { unused: "the dashboard draws its chart from the bill, with all models and keys" };

export const billing: FieldTable["billing"] = {
  usage: {
    request: usageRequest,
    reply: {
      ...record,
      "pagination.limit": pages,
      "pagination.page": pages,
      "pagination.total": { automatic: "the share of a bill that has been read, while it is read" },
      "pagination.totalPages": pages,
      warningMessage: inDashboard,
    },
  },
  usageCsv: { request: usageRequest, reply: exported },
  history: { request: historyRequest, reply: { ...record, nextCursor: pages, warningMessage: inDashboard } },
  historyCsv: { request: historyRequest, reply: exported },
  analytics: {
    request: {
      lookback: { automatic: "proves an ADMIN key; the views ask by days" },
      startDate: from,
      endDate: to,
    },
    reply: {
      lookback: { unused: "the views show the days that they asked for" },
      "byDate.date": {
        automatic: "a range of days has one sum; the days are in the dashboard, from the bill",
      },
      "byDate.USD": inUsage,
      "byDate.DIEM": inUsage,
      "byModel.modelName": inUsage,
      "byModel.unitType": inUsage,
      "byModel.modelType": inUsage,
      "byModel.totalUsd": inUsage,
      "byModel.totalDiem": inUsage,
      "byModel.totalUnits": inUsage,
      "byModel.breakdown.type": inUsage,
      "byModel.breakdown.usd": inUsage,
      "byModel.breakdown.diem": inUsage,
      "byModel.breakdown.units": inUsage,
      byModelDaily: daily,
      topModels: daily,
      "byKey.apiKeyId": { automatic: "two keys may have one description" },
      "byKey.description": inUsage,
      "byKey.totalUsd": inUsage,
      "byKey.totalDiem": inUsage,
      "byKey.totalUnits": inUsage,
      byKeyDaily: daily,
      topKeyNames: daily,
      byModelDailyUsd: daily,
      byKeyDailyUsd: daily,
    },
  },
  balance: {
    request: {},
    reply: {
      canConsume: inUsage,
      consumptionCurrency: inUsage,
      "balances.diem": inUsage,
      "balances.usd": inUsage,
      diemEpochAllocation: inUsage,
    },
  },
};

export const account: FieldTable["account"] = {
  rateLimits: {
    request: {},
    reply: {
      "data.accessPermitted": inLimits,
      "data.apiTier.id": inLimits,
      "data.apiTier.isCharged": inLimits,
      "data.balances.*": { shown: "Usage" },
      "data.keyExpiration": inLimits,
      "data.nextEpochBegins": inLimits,
      "data.rateLimits.apiModelId": inLimits,
      "data.rateLimits.rateLimits.amount": inLimits,
      "data.rateLimits.rateLimits.type": inLimits,
    },
  },
  rateLimitLog: {
    request: {},
    reply: {
      "data.apiKeyId": inLimits,
      "data.modelId": inLimits,
      "data.rateLimitTier": inLimits,
      "data.rateLimitType": inLimits,
      "data.timestamp": inLimits,
    },
  },
};

const ownAddress: Place = { automatic: "the address of the connection's wallet" };

export const wallet: FieldTable["wallet"] = {
  balance: {
    request: { address: ownAddress },
    reply: {
      "data.balanceUsd": inUsage,
      "data.diemBalanceUsd": inUsage,
      "data.canConsume": inUsage,
      "data.minimumTopUpUsd": inUsage,
      "data.suggestedTopUpUsd": inUsage,
    },
  },
  transactions: {
    request: {
      address: ownAddress,
      limit: { automatic: "the newest 50 are shown" },
      offset: { unused: "the row says that there are older ones, which the service's own site lists" },
    },
    reply: {
      "data.currentBalance": { automatic: "read from the balance itself" },
      "data.transactions.id": { automatic: "copied if there is no request id" },
      "data.transactions.amount": inUsage,
      "data.transactions.balanceAfter": inUsage,
      "data.transactions.type": inUsage,
      "data.transactions.createdAt": inUsage,
      "data.transactions.requestId": inUsage,
      "data.transactions.modelId": inUsage,
      "data.pagination.hasMore": inUsage,
    },
  },
};
