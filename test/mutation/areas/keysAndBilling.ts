import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const keys = "src/sandbox/keys";
const billing = "src/sandbox/billing";

export const keysArea: Area = {
  tests: [contract("classes"), unit("*keys*"), contractRows("^keys\\."), contract("bill")],
  mutants: [
    {
      does: "a limit may be negative",
      file: "src/api/endpoints/keys.ts",
      find: "z.number().min(0).nullable()",
      replace: "z.number().nullable()",
    },
    {
      does: "a key is made without a secret in the reply",
      file: "src/api/endpoints/keys.ts",
      find: "apiKey: z.string(),",
      replace: "apiKey: z.string().nullish(),",
    },
    {
      does: "making a key may be sent again",
      file: "src/api/endpoints/keys.ts",
      find: 'resend: "billed",',
      replace: 'resend: "reading",',
    },
    {
      does: "any key may manage keys",
      file: "src/api/endpoints/keys.ts",
      find: 'auth: "admin", decode',
      replace: 'auth: "inference", decode',
    },
    {
      does: "21 keys a minute",
      file: "src/sandbox/services.ts",
      find: "requests: 20",
      replace: "requests: 21",
    },
    {
      does: "501 active keys",
      file: `${keys}/apiKeyStore.ts`,
      find: "const maxActive = 500;",
      replace: "const maxActive = 501;",
    },
    {
      does: "revoked keys go on working",
      file: `${keys}/apiKeyStore.ts`,
      find: "!record.revoked && now()",
      replace: "now()",
    },
    {
      does: "keys never expire",
      file: `${keys}/apiKeyStore.ts`,
      find: "!record.revoked && now() < (record.expiresAtMs ?? Number.POSITIVE_INFINITY)",
      replace: "!record.revoked",
    },
    {
      does: "a change of one cap drops the other",
      file: `${keys}/keyRecord.ts`,
      find: "if (wanted === undefined) return cap;",
      replace: "if (wanted === undefined) return undefined;",
    },
    {
      does: "vcu is not diem",
      file: `${keys}/keyRecord.ts`,
      find: "change.diem === undefined ? change.vcu : change.diem",
      replace: "change.diem",
    },
    {
      does: "the read form shows eight characters",
      file: `${keys}/apiKeyStore.ts`,
      find: "secret.slice(-6)",
      replace: "secret.slice(-8)",
    },
    {
      does: "caps do not bind",
      file: `${keys}/apiKeyStore.ts`,
      find: "spent.DIEM >= caps.diem",
      replace: "spent.DIEM > caps.diem * 1e6",
    },
    {
      does: "a month is a day",
      file: `${keys}/limitPeriod.ts`,
      find: 'if (period === "EPOCH") return dayOf(nowMs);',
      replace: 'if (period !== "LIFETIME") return dayOf(nowMs);',
    },
    {
      does: "usage trails six days",
      file: `${keys}/apiKeyStore.ts`,
      find: "const trailingDays = 7;",
      replace: "const trailingDays = 6;",
    },
  ],
};

export const billingArea: Area = {
  tests: [
    contract("classes"),
    unit("*billing*"),
    contractRows("^billing\\."),
    contract("bill"),
    contract("money"),
  ],
  mutants: [
    {
      does: "a page has 501 rows",
      file: "src/api/endpoints/billing.ts",
      find: "limit: z.int().min(1).max(500)",
      replace: "limit: z.int().min(1).max(501)",
    },
    {
      does: "a page of history has 1001 rows",
      file: "src/api/endpoints/billing.ts",
      find: "pageSize: z.int().min(10).max(1000)",
      replace: "pageSize: z.int().min(10).max(1001)",
    },
    {
      does: "a lookback of 91 days",
      file: "src/api/endpoints/billing.ts",
      find: "Number.parseInt(value, 10) <= 90",
      replace: "Number.parseInt(value, 10) <= 91",
    },
    {
      does: "a start needs no end",
      file: "src/api/endpoints/billing.ts",
      find: "if (startDate !== undefined && endDate === undefined) refuse",
      replace: "if (startDate === null) refuse",
    },
    {
      does: "a cursor may have company",
      file: "src/api/endpoints/billing.ts",
      find: "cursor === undefined || Object.values(filters).every((v) => v === undefined)",
      replace: "cursor === undefined || filters !== undefined",
    },
    {
      does: "an amount may be missing",
      file: "src/api/endpoints/billing.ts",
      find: "  units: amount,\n  amount,\n",
      replace: "  units: amount,\n  amount: amount.nullish(),\n",
    },
    {
      does: "CSV is not asked for",
      file: "src/api/endpoints/billing.ts",
      find: '    path: "/billing/usage",\n    decode: "binary",\n    accept: "text/csv",',
      replace: '    path: "/billing/usage",\n    decode: "binary",',
    },
    {
      does: "any key may read the bill",
      file: "src/api/endpoints/billing.ts",
      find: 'auth: "admin"',
      replace: 'auth: "inference"',
    },
    {
      does: "a page has 100 rows unless told",
      file: `${billing}/usagePage.ts`,
      find: "limit = 200",
      replace: "limit = 100",
    },
    {
      does: "the oldest come first unless told",
      file: `${billing}/usagePage.ts`,
      find: 'sortOrder = "desc"',
      replace: 'sortOrder = "asc"',
    },
    {
      does: "pages overlap",
      file: `${billing}/usagePage.ts`,
      find: "(page - 1) * limit",
      replace: "(page - 1) * (limit - 1)",
    },
    {
      does: "a last page that is not full is not counted",
      file: `${billing}/usagePage.ts`,
      find: "Math.ceil(total / limit)",
      replace: "Math.floor(total / limit)",
    },
    {
      does: "DIEM and VCU are not told apart",
      file: `${billing}/usagePage.ts`,
      find: 'if (currency !== "VCU") return undefined;',
      replace: "return undefined;",
    },
    {
      does: "the range has its end in it",
      file: `${billing}/ledger.ts`,
      find: "if (timeAt(middle) < ms) low = middle + 1;",
      replace: "if (timeAt(middle) <= ms) low = middle + 1;",
    },
    {
      does: "the usage route stays on venice",
      file: `${billing}/handlers.ts`,
      find: 'if (dialect.id === "venice") throw retired();',
      replace: 'if (dialect.id === "nobody") throw retired();',
    },
    {
      does: "the successor is not named",
      file: `${billing}/handlers.ts`,
      find: "headers: { link: successor },",
      replace: "headers: {},",
    },
    {
      does: "CSV comes where JSON is preferred",
      file: `${billing}/handlers.ts`,
      find: "csvAt >= 0 && (jsonAt < 0 || csvAt < jsonAt)",
      replace: "csvAt >= 0",
    },
    {
      does: "the CSV leaves its tokens out",
      file: `${billing}/handlers.ts`,
      find: "    promptTokens,\n    completionTokens,\n  ].join",
      replace: "    undefined,\n    completionTokens,\n  ].join",
    },
    {
      does: "cached tokens are charged twice",
      file: `${billing}/charge.ts`,
      find: "price.input, promptTokens - cachedTokens)",
      replace: "price.input, promptTokens)",
    },
    {
      does: "cached tokens cost as much as fresh ones",
      file: `${billing}/charge.ts`,
      find: '"cache-input", price.cacheInput,',
      replace: '"cache-input", price.input,',
    },
    {
      does: "halves of a nano are dropped",
      file: `${billing}/decimal.ts`,
      find: "amount.toFixed(nanoPlaces, Big.roundHalfUp)",
      replace: "amount.toFixed(nanoPlaces, Big.roundDown)",
    },
    {
      does: "DIEM are never spent",
      file: `${billing}/account.ts`,
      find: "if (amount <= diemLeft()) {",
      replace: "if (amount < 0) {",
    },
    {
      does: "DIEM are not given anew",
      file: `${billing}/account.ts`,
      find: "if (day !== today.day) today",
      replace: "if (day < today.day) today",
    },
    {
      does: "an empty account is served",
      file: "src/sandbox/http/answer.ts",
      find: "    state.billing.account.check();\n",
      replace: "",
    },
    {
      does: "limits of keys are not looked at",
      file: "src/sandbox/http/answer.ts",
      find: "    state.keys.checkLimit(key.id);\n",
      replace: "",
    },
    {
      does: "analytics are a minute old at most",
      file: `${billing}/billing.ts`,
      find: "const analyticsAgeMs = 600_000;",
      replace: "const analyticsAgeMs = 60_000;",
    },
    {
      does: "seven models stand in the charts",
      file: `${billing}/analytics.ts`,
      find: "const topCount = 8;",
      replace: "const topCount = 7;",
    },
    {
      does: "models come in no order",
      file: `${billing}/tally.ts`,
      find: "totalOf(b.total) - totalOf(a.total) ||",
      replace: "0 ||",
    },
    {
      does: "a lookback leaves today out",
      file: `${billing}/period.ts`,
      find: "const tomorrow = dayOf(nowMs) + 1;",
      replace: "const tomorrow = dayOf(nowMs);",
    },
    {
      does: "the successor is asked in the middle of the pages",
      file: "src/api/usagePages.ts",
      find: "if (moved && page === 1)",
      replace: "if (moved && page < 0)",
    },
  ],
};
