import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const rpc = "src/sandbox/rpc";

export const rpcArea: Area = {
  tests: [
    contract("classes"),
    unit("api/money/rpcCredits", "api/call/limits/rateLimiter"),
    contractRows("^rpc\\."),
    contract("charges", "^rpc\\."),
    unit("sandbox/rpc/{networks,replays,proxy,chains}"),
    contract("nodes"),
  ],
  mutants: [
    {
      does: "a batch of 101 is sent",
      file: "src/api/endpoints/rpc.ts",
      find: "items.length <= 100 &&",
      replace: "items.length <= 101 &&",
    },
    {
      does: "ids may be repeated",
      file: "src/api/endpoints/rpc.ts",
      find: " && ids.size === items.length",
      replace: "",
    },
    {
      does: "a key may have 256 characters",
      file: "src/api/endpoints/rpc.ts",
      find: "{1,255}$/",
      replace: "{1,256}$/",
    },
    {
      does: "a network may be anything",
      file: "src/api/endpoints/rpc.ts",
      find: 'z.string().regex(/^[a-z0-9-]{1,64}$/, "must be a slug such as ethereum-mainnet")',
      replace: "z.string().min(1)",
    },
    {
      does: "no idempotency key is sent",
      file: "src/api/call/client.ts",
      find: 'if (row.resend === "keyed") checked.idempotencyKey ??= crypto.randomUUID();',
      replace: "",
    },
    {
      does: "each try has its own idempotency key",
      file: "src/api/call/client.ts",
      find: "    const isSent = callOptions.signal?.aborted !== true;\n",
      replace:
        '    const isSent = callOptions.signal?.aborted !== true;\n    if (row.resend === "keyed") input.idempotencyKey = crypto.randomUUID();\n',
    },
    {
      does: "101 requests a minute",
      file: `${rpc}/caps.ts`,
      find: "const caps = { requests: 100,",
      replace: "const caps = { requests: 101,",
    },
    {
      does: "a replay does not count",
      file: `${rpc}/proxy.ts`,
      find: "        caps.takeRequest(request.callerId);\n",
      replace: "        if (!key) caps.takeRequest(request.callerId);\n",
    },
    {
      does: "an error costs six",
      file: `${rpc}/proxy.ts`,
      find: "const errorCredits = 5;",
      replace: "const errorCredits = 6;",
    },
    {
      does: "zkSync costs as much as the others",
      file: `${rpc}/proxy.ts`,
      find: 'family === "zksync" || family === "solana" ? 30 : 20',
      replace: 'family === "solana" ? 30 : 20',
    },
    {
      does: "advanced methods cost as much as standard ones",
      file: `${rpc}/methods.ts`,
      find: "if (advanced.has(method) || methodFamilies.advanced.test(method)) return { multiplier: 2 };",
      replace: "if (advanced.has(method) || methodFamilies.advanced.test(method)) return { multiplier: 1 };",
    },
    {
      does: "large methods cost as much as advanced ones",
      file: `${rpc}/methods.ts`,
      find: "return { multiplier: 4 };\n  if (advanced",
      replace: "return { multiplier: 2 };\n  if (advanced",
    },
    {
      does: "a stateful filter is allowed",
      file: "src/shared/rpc/methodTiers.ts",
      find: "eth_supportedEntryPoints\n",
      replace: "eth_supportedEntryPoints eth_newFilter\n",
    },
    {
      does: "only the first refused method is named",
      file: `${rpc}/requestItems.ts`,
      find: 'refused.join(", ")',
      replace: "refused[0]",
    },
    {
      does: "another body under the same key is accepted",
      file: `${rpc}/replays.ts`,
      find: "if (known.digest !== digest) {",
      replace: "if (known.digest === name) {",
    },
    {
      does: "replays are stored for an hour",
      file: `${rpc}/replays.ts`,
      find: "const storedMs = 86_400_000;",
      replace: "const storedMs = 3_600_000;",
    },
    {
      does: "replays never expire",
      file: `${rpc}/replays.ts`,
      find: "if (now() - atMs < storedMs) return;",
      replace: "if (atMs > 0) return;",
    },
    {
      does: "a replay is not marked",
      file: `${rpc}/services.ts`,
      find: '...(replayed ? { "Idempotent-Replayed": "true" } : {}),',
      replace: "",
    },
    {
      does: "the cost has seven decimals",
      file: `${rpc}/proxy.ts`,
      find: "fixedDigits(costOf(usdPerCredit, credits), 8)",
      replace: "fixedDigits(costOf(usdPerCredit, credits), 7)",
    },
    {
      does: "venice charges the lower price",
      file: `${rpc}/proxy.ts`,
      find: "venice: 7e-7",
      replace: "venice: 6.25e-7",
    },
    {
      does: "a malformed key is refused on venice",
      file: `${rpc}/proxy.ts`,
      find: 'if (dialect === "venice") return undefined;\n',
      replace: "",
    },
    {
      does: "venice accepts parallel calls",
      file: `${rpc}/caps.ts`,
      find: 'if (dialect !== "venice") return run();',
      replace: "if (dialect) return run();",
    },
    {
      does: "the reset is reported in milliseconds",
      file: `${rpc}/caps.ts`,
      find: "String(Math.ceil(resetsAtMs / 1000))",
      replace: "String(resetsAtMs)",
    },
    {
      does: "the exceeded cap is not named",
      file: `${rpc}/caps.ts`,
      find: "{ error: { message, customMessage } } : { customMessage }",
      replace: "{ error: { message } } : {}",
    },
    {
      does: "standard offers Solana",
      file: `${rpc}/networks.ts`,
      find: '!veniceOnly || dialect === "venice"',
      replace: "!veniceOnly || dialect !== undefined",
    },
    {
      does: "the answer to a batch lacks the ids",
      file: `${rpc}/proxy.ts`,
      find: 'return { jsonrpc: "2.0", id: id ?? null, ...outcome };',
      replace: 'return { jsonrpc: "2.0", id: null, ...outcome };',
    },
    {
      does: "calls are not charged",
      file: "src/sandbox/rpc/openRpc.ts",
      find: "onSpent: (spent) => billing.charge(chargeOf(spent)),",
      replace: "onSpent: () => {},",
    },
    {
      does: "the client prices error items by their tier",
      file: "src/api/money/rpcCredits.ts",
      find: "const errorItemCredits = 5;",
      replace: "export const errorItemCredits = 20;",
    },
    {
      does: "venice's cost headers are ignored",
      file: "src/api/dialect/dialect.ts",
      find: 'rpcHeaderPrefix: "X-Venice-",',
      replace: 'rpcHeaderPrefix: "X-Service-",',
    },
    {
      does: "the client counts replays as spent",
      file: "src/api/money/charge.ts",
      find: 'headers.get("idempotent-replayed") === "true"',
      replace: 'headers.get("idempotent-replayed") === "yes"',
    },
  ],
};
