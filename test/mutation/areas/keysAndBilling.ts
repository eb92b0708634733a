import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const keys = "src/sandbox/keys";
const billing = "src/sandbox/billing";

export const keysArea: Area = {
  tests: [contract("classes"), unit("sandbox/keys/*"), contractRows("^keys\\."), contract("bill")],
  mutants: [
    {
      does: "a limit may be negative",
      file: "src/api/endpoints/account/keys.ts",
      find: "z.number().min(0).nullable()",
      replace: "z.number().nullable()",
    },
    {
      does: "the reply to a key creation lacks the secret",
      file: "src/api/endpoints/account/keys.ts",
      find: "apiKey: z.string(),",
      replace: "apiKey: z.string().nullish(),",
    },
    {
      does: "key creation is resent",
      file: "src/api/endpoints/account/keys.ts",
      find: 'resend: "billed",',
      replace: 'resend: "reading",',
    },
    {
      does: "any key may manage keys",
      file: "src/api/endpoints/account/keys.ts",
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
      does: "revoked keys keep working",
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
      does: "changing one limit removes the other",
      file: `${keys}/keyRecord.ts`,
      find: "if (wanted === undefined) return cap;",
      replace: "if (wanted === undefined) return undefined;",
    },
    {
      does: "vcu is kept as diem",
      file: `${keys}/keyRecord.ts`,
      find: "diem: changed(caps.diem, change.diem),",
      replace: "diem: changed(caps.diem, change.diem ?? change.vcu),",
    },
    {
      does: "the read form shows eight characters",
      file: `${keys}/apiKeyStore.ts`,
      find: "secret.slice(-6)",
      replace: "secret.slice(-8)",
    },
    {
      does: "spending limits are ignored",
      file: `${keys}/apiKeyStore.ts`,
      find: "spent.DIEM >= caps.diem",
      replace: "spent.DIEM > caps.diem * 1e6",
    },
    {
      does: "a monthly period lasts a day",
      file: `${keys}/limitPeriod.ts`,
      find: 'if (period === "EPOCH") return dayOf(nowMs);',
      replace: 'if (period !== "LIFETIME") return dayOf(nowMs);',
    },
    {
      does: "trailing usage covers six days",
      file: `${keys}/apiKeyStore.ts`,
      find: "const trailingDays = 7;",
      replace: "const trailingDays = 6;",
    },
  ],
};

export const billingArea: Area = {
  tests: [
    contract("classes"),
    unit("sandbox/billing/*"),
    contractRows("^billing\\."),
    contract("bill"),
    contract("money"),
  ],
  mutants: [
    {
      does: "a page has 501 rows",
      file: "src/api/endpoints/account/billing.ts",
      find: "limit: z.int().min(1).max(500)",
      replace: "limit: z.int().min(1).max(501)",
    },
    {
      does: "a page of history has 1001 rows",
      file: "src/api/endpoints/account/billing.ts",
      find: "pageSize: z.int().min(10).max(1000)",
      replace: "pageSize: z.int().min(10).max(1001)",
    },
    {
      does: "a lookback may be 91 days",
      file: "src/api/endpoints/account/billing.ts",
      find: "Number.parseInt(value, 10) <= 90",
      replace: "Number.parseInt(value, 10) <= 91",
    },
    {
      does: "a start date needs no end date",
      file: "src/api/endpoints/account/billing.ts",
      find: "if (startDate !== undefined && endDate === undefined) refuse",
      replace: "if (startDate === null) refuse",
    },
    {
      does: "a cursor may be combined with filters",
      file: "src/api/endpoints/account/billing.ts",
      find: "cursor === undefined || Object.values(filters).every((v) => v === undefined)",
      replace: "cursor === undefined || filters !== undefined",
    },
    {
      does: "an amount may be missing",
      file: "src/api/endpoints/account/billing.ts",
      find: "  units: amount,\n  amount,\n",
      replace: "  units: amount,\n  amount: amount.nullish(),\n",
    },
    {
      does: "CSV is not requested",
      file: "src/api/endpoints/account/billing.ts",
      find: '    path: "/billing/usage",\n    decode: "binary",\n    accept: "text/csv",',
      replace: '    path: "/billing/usage",\n    decode: "binary",',
    },
    {
      does: "any key may read the bill",
      file: "src/api/endpoints/account/billing.ts",
      find: 'auth: "admin"',
      replace: 'auth: "inference"',
    },
    {
      does: "a page has 100 rows by default",
      file: `${billing}/usagePage.ts`,
      find: "limit = 200",
      replace: "limit = 100",
    },
    {
      does: "the oldest come first by default",
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
      does: "an incomplete last page is not counted",
      file: `${billing}/usagePage.ts`,
      find: "Math.ceil(total / limit)",
      replace: "Math.floor(total / limit)",
    },
    {
      does: "DIEM and VCU are not distinguished",
      file: `${billing}/usagePage.ts`,
      find: 'if (currency !== "VCU") return undefined;',
      replace: "return undefined;",
    },
    {
      does: "the range includes its end",
      file: `${billing}/ledger/ledger.ts`,
      find: "if (timeAt(middle) < ms) low = middle + 1;",
      replace: "if (timeAt(middle) <= ms) low = middle + 1;",
    },
    {
      does: "venice still has the usage route",
      file: `${billing}/handlers.ts`,
      find: 'if (dialect.id === "venice") throw retired();',
      replace: 'if (dialect.id === "nobody") throw retired();',
    },
    {
      does: "the successor route is not named",
      file: `${billing}/handlers.ts`,
      find: "headers: { link: successor },",
      replace: "headers: {},",
    },
    {
      does: "CSV is returned although JSON is preferred",
      file: `${billing}/handlers.ts`,
      find: "csvAt >= 0 && (jsonAt < 0 || csvAt < jsonAt)",
      replace: "csvAt >= 0",
    },
    {
      does: "the CSV omits tokens",
      file: `${billing}/handlers.ts`,
      find: "    promptTokens,\n    completionTokens,\n  ].join",
      replace: "    undefined,\n    completionTokens,\n  ].join",
    },
    {
      does: "cached tokens are charged twice",
      file: `${billing}/ledger/charge.ts`,
      find: "price.input, promptTokens - cachedTokens)",
      replace: "price.input, promptTokens)",
    },
    {
      does: "cached tokens cost as much as others",
      file: `${billing}/ledger/charge.ts`,
      find: '"cache-input", price.cacheInput,',
      replace: '"cache-input", price.input,',
    },
    {
      does: "half nanos are truncated",
      file: `${billing}/ledger/decimal.ts`,
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
      does: "DIEM are not renewed",
      file: `${billing}/account.ts`,
      find: "if (day !== today.day) today",
      replace: "if (day < today.day) today",
    },
    {
      does: "an empty account is accepted",
      file: "src/sandbox/http/answer.ts",
      find: "      if (!state.wallets.isWallet(key.id)) state.billing.account.check();\n",
      replace: "",
    },
    {
      does: "limits of keys are ignored",
      file: "src/sandbox/http/answer.ts",
      find: "    state.keys.checkLimit(key.id);\n",
      replace: "",
    },
    {
      does: "analytics are cached for a minute",
      file: `${billing}/billing.ts`,
      find: "const analyticsAgeMs = 600_000;",
      replace: "const analyticsAgeMs = 60_000;",
    },
    {
      does: "charts show seven models",
      file: `${billing}/analytics/analytics.ts`,
      find: "const topCount = 8;",
      replace: "const topCount = 7;",
    },
    {
      does: "models are not sorted",
      file: `${billing}/analytics/tally.ts`,
      find: "totalOf(b.total) - totalOf(a.total) ||",
      replace: "0 ||",
    },
    {
      does: "a lookback excludes today",
      file: `${billing}/analytics/period.ts`,
      find: "const tomorrow = dayOf(nowMs) + 1;",
      replace: "const tomorrow = dayOf(nowMs);",
    },
    {
      does: "pagination switches to the successor route",
      file: "src/api/usagePages.ts",
      find: "return page === 1 ? orSuccessor(",
      replace: "return page < 0 ? orSuccessor(",
    },
  ],
};
