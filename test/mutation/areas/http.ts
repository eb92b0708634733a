import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const http = "src/sandbox/http";

/** Behaviour of all routes of the sandbox. */
export const httpArea: Area = {
  tests: [
    unit("sandbox/http/{form,routes}", "sandbox/limits/rates", "sandbox/hooks.faults"),
    contract("limits"),
    contractRows("^(keys\\.create|models\\.list|account\\.|rpc\\.call|augment\\.search|audio\\.createVoice)"),
    contract("money"),
    contract("bill", "account without money|paid calls on venice"),
    contractRows("^has the event stream's type without compression"),
  ],
  mutants: [
    {
      does: "a file of 25 MB and a byte is accepted",
      file: `${http}/request/form.ts`,
      find: "fileSize: maxFormFileBytes,",
      replace: "fileSize: maxFormFileBytes + 1,",
    },
    {
      does: "a form accepts a member twice",
      file: `${http}/request/form.ts`,
      find: "else if (members.has(name)) refuse",
      replace: "else if (members.has(value.toString())) refuse",
    },
    {
      does: "bodies may have 36 MB",
      file: `${http}/request/readBody.ts`,
      find: "const maxBodyBytes = 35_000_000;",
      replace: "export const maxBodyBytes = 36_000_000;",
    },
    {
      does: "any content type is accepted as JSON",
      file: `${http}/request/readInput.ts`,
      find: 'if (body.kind !== "text" || !/^application\\/json\\s*(;|$)/i.test(contentType)) {',
      replace: 'if (body.kind !== "text") {',
    },
    {
      does: "the other dialect's member is accepted",
      file: `${http}/request/readInput.ts`,
      find: "  if (ours in members) throw invalid([unknownMember(ours)]);\n",
      replace: "",
    },
    {
      does: "the other dialect's values are accepted",
      file: `${http}/request/readInput.ts`,
      find: '    throw invalid([{ code: "invalid_value", path: [member], message }]);\n',
      replace: "    return message ? [] : [];\n",
    },
    {
      does: "headers are not read as members",
      file: `${http}/request/readInput.ts`,
      find: "...inHeaders(row, request.headers), ...params",
      replace: "...params",
    },
    {
      does: "admin routes accept any key",
      file: "src/sandbox/keys/auth.ts",
      find: 'if (row.auth === "admin" && key.type !== "ADMIN")',
      replace: 'if (row.auth === "admin" && key.type === "ADMIN" && key.id === "")',
    },
    {
      does: "an unknown key is treated as missing",
      file: "src/sandbox/keys/auth.ts",
      find: 'if (!key) throw new Refusal(401, "Authentication failed");',
      replace: "if (!key) throw noCredential(row, dialect.id);",
    },
    {
      does: "a missing key is 401 on venice, too",
      file: "src/sandbox/keys/auth.ts",
      find: 'if (dialect === "standard" || row.price.by === "nothing")',
      replace: "if (dialect)",
    },
    {
      does: "the wallet header's old name is unknown",
      file: "src/sandbox/keys/auth.ts",
      find: "const names = [walletHeader, dialects.standard.walletHeader]",
      replace: "const names = [walletHeader]",
    },
    {
      does: "venice's wallet header has the spec's name",
      file: "src/api/dialect/dialect.ts",
      find: 'walletHeader: "SIGN-IN-WITH-X",',
      replace: 'walletHeader: "X-Sign-In-With-X",',
    },
    {
      does: "a nonce never expires",
      file: "src/sandbox/keys/wallets.ts",
      find: "this.#used.set(nonce, issuedAtMs + goodForMs);",
      replace: "this.#used.set(header, issuedAtMs + goodForMs);",
    },
    {
      does: "an expired sign-in is accepted",
      file: "src/sandbox/keys/wallets.ts",
      find: "if (age >= goodForMs || age < -goodForMs || now() >= endMs)",
      replace: "if (age < -goodForMs)",
    },
    {
      does: "other methods are 404",
      file: `${http}/routes.ts`,
      find: "throw new Refusal(405,",
      replace: "throw new Refusal(404,",
    },
    {
      does: "rate_limits is taken for a key's id",
      file: `${http}/routes.ts`,
      find: "Object.keys(a.params).length - Object.keys(b.params).length",
      replace: "Object.keys(b.params).length - Object.keys(a.params).length",
    },
    {
      does: "venice does not name an unknown member",
      file: "src/sandbox/http/errorBody.ts",
      find: 'if (issues.every((issue) => issue.code === "unrecognized_keys")) return { error: issues };',
      replace:
        'if (issues.every((issue) => issue.code === "unrecognized_keys")) return { error: "Bad request" };',
    },
    {
      does: "validation errors lack the tree",
      file: "src/sandbox/http/errorBody.ts",
      find: "return { error: message, details: issueTree(issues), issues, ...members };",
      replace: "return { error: message, issues, ...members };",
    },
    {
      does: "a window allows one more request",
      file: "src/sandbox/limits/rates.ts",
      find: "count.requests >= limit.requests",
      replace: "count.requests > limit.requests",
    },
    {
      does: "tokens are not limited",
      file: "src/sandbox/limits/rates.ts",
      find: "tokens !== undefined && count.tokens >= tokens",
      replace: "tokens === 0",
    },
    {
      does: "a window lasts two minutes",
      file: "src/sandbox/limits/rates.ts",
      find: "const windowMs = 60_000;",
      replace: "const windowMs = 120_000;",
    },
    {
      does: "tier S has 76 requests",
      file: "src/sandbox/limits/rates.ts",
      find: "S: { requests: 75, tokens: 750_000 }",
      replace: "S: { requests: 76, tokens: 750_000 }",
    },
    {
      does: "image models have 21 requests",
      file: "src/sandbox/limits/rates.ts",
      find: "typeLimits = { image: 20,",
      replace: "typeLimits = { image: 21,",
    },
    {
      does: "21 failures are allowed",
      file: "src/sandbox/limits/failures.ts",
      find: "standard: 20",
      replace: "standard: 21",
    },
    {
      does: "venice has the spec's failure budget",
      file: "src/sandbox/limits/failures.ts",
      find: "venice: 50",
      replace: "venice: 20",
    },
    {
      does: "a 429 counts as a failure",
      file: "src/sandbox/limits/failures.ts",
      find: "if (status < 400 || status === 429) return;",
      replace: "if (status < 400) return;",
    },
    {
      does: "failures of all callers are counted together",
      file: `${http}/request/callerContext.ts`,
      find: 'failures: dialect.id === "venice" ? failures : caller,',
      replace: 'failures: dialect.id === "venice" ? failures : "all",',
    },
    {
      does: "venice reports resets in seconds",
      file: "src/sandbox/limits/limitHeaders.ts",
      find: "String(venice ? resetsAtMs : Math.ceil(resetsAtMs / 1000))",
      replace: "String(Math.ceil(resetsAtMs / 1000))",
    },
    {
      does: "standard reports the rest of the failure budget",
      file: "src/sandbox/limits/limitHeaders.ts",
      find: 'if (dialect === "standard") return {};',
      replace: "",
    },
    {
      does: "empty balances are reported",
      file: `${http}/answer.ts`,
      find: ".filter(([, amount]) => amount > 0)",
      replace: ".filter(([, amount]) => amount >= 0)",
    },
    {
      does: "balances are reported after the charge",
      file: `${http}/request/callerContext.ts`,
      find: "balances: key && isPaid(route) && !wallets.isWallet(key.id) ? billing.account.balances() : undefined,",
      replace:
        "get balances() { return key && isPaid(route) && !wallets.isWallet(key.id) ? billing.account.balances() : undefined; },",
    },
    {
      does: "answers are compressed although the caller refuses that",
      file: `${http}/writeReply.ts`,
      find: "    .filter((one) => !/;\\s*q=0(\\.0*)?\\s*$/.test(one))\n",
      replace: "",
    },
    {
      does: "any model type is accepted",
      file: "src/sandbox/resources/models.ts",
      find: "if (types.includes(type)) return type;",
      replace: "return type;",
    },
    {
      does: "all types are listed by default",
      file: "src/sandbox/resources/models.ts",
      find: '(input as { type?: string }).type ?? "text"',
      replace: '(input as { type?: string }).type ?? "all"',
    },
  ],
};
