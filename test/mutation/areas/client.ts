import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const api = "src/api";

/** Behaviour of all calls of the client. */
export const clientArea: Area = {
  tests: [
    unit("api/{binary,validate}", "api/{call,dialect,errors,stream,money}/*", "shared/money/*"),
    contractRows("^(models\\.list|chat\\.|keys\\.read|augment\\.search)"),
    contract("errorShapes"),
    contract("limits"),
    contract("charges"),
    contract(
      "faults",
      "^(models\\.list|chat\\.complete|keys\\.create|rpc\\.call|augment\\.search|audio\\.speech)$",
    ),
  ],
  mutants: [
    {
      does: "a call is tried four times",
      file: `${api}/call/retry.ts`,
      find: "export const maxResends = 2;",
      replace: "export const maxResends = 3;",
    },
    {
      does: "a call that may be billed is resent after a 500",
      file: `${api}/call/retry.ts`,
      find: "billed: new Set([429, 503]),",
      replace: "billed: new Set([429, 500, 503]),",
    },
    {
      does: "chat is resent after a 502",
      file: `${api}/call/retry.ts`,
      find: "unanswered: new Set([429, 500, 503]),",
      replace: "unanswered: passing,",
    },
    {
      does: "any class is resent after a lost answer",
      file: `${api}/call/retry.ts`,
      find: 'return resend === "reading" || resend === "keyed" || mayHaveArrived === false;',
      replace: "return true;",
    },
    {
      does: "a call is resent after an exhausted failure budget",
      file: `${api}/call/retry.ts`,
      find: 'return error.kind !== "failure-budget" && refusedUnbilled',
      replace: "return refusedUnbilled",
    },
    {
      does: "the retry time of the service is ignored",
      file: `${api}/call/retry.ts`,
      find: "named === undefined ? random()",
      replace: "named !== null ? random()",
    },
    {
      does: "sixteen failures are allowed",
      file: `${api}/call/limits/rateLimiter.ts`,
      find: "failures: 15,",
      replace: "failures: 16,",
    },
    {
      does: "the client creates 21 keys a minute",
      file: `${api}/call/limits/rateLimiter.ts`,
      find: '"keys.create": 20 }',
      replace: '"keys.create": 21 }',
    },
    {
      does: "bursts don't reduce the remaining requests",
      file: `${api}/call/limits/rateLimiter.ts`,
      find: "remaining: requests.remaining - 1",
      replace: "remaining: requests.remaining",
    },
    {
      does: "milliseconds are read as seconds",
      file: `${api}/call/limits/limits.ts`,
      find: "if (number >= 1e12) return number - aheadMs;",
      replace: "if (number >= 1e15) return number - aheadMs;",
    },
    {
      does: "Retry-After is not read",
      file: `${api}/call/limits/limits.ts`,
      find: "if (after !== undefined) return after;",
      replace: "",
    },
    {
      does: "a missing ADMIN key is not recognized",
      file: `${api}/errors/classify.ts`,
      find: "/admin (api )?key/i.test(message)",
      replace: "/administrator/i.test(message)",
    },
    {
      does: "405 is not read as not-found",
      file: `${api}/errors/classify.ts`,
      find: '    405: "not-found",\n',
      replace: "",
    },
    {
      does: "customMessage is not preferred",
      file: `${api}/errors/classify.ts`,
      find: "    body.customMessage,\n    nested?.customMessage,\n",
      replace: "",
    },
    {
      does: "a wallet's lack of money is the account's",
      file: `${api}/errors/classify.ts`,
      find: '    return "wallet";',
      replace: '    return "account";',
    },
    {
      does: "a key's limit is the account's",
      file: `${api}/errors/classify.ts`,
      find: '? "key-limit" : "account"',
      replace: '? "account" : "account"',
    },
    {
      does: "the tree of issues is ignored",
      file: `${api}/errors/fieldIssues.ts`,
      find: "[body.details, nested.details].flatMap",
      replace: "[].flatMap",
    },
    {
      does: "the suggested prompt is dropped",
      file: `${api}/errors/classify.ts`,
      find: "...(suggestedPrompt ? { suggestedPrompt } : {}),",
      replace: "",
    },
    {
      does: "venice's parameters keep the spec's name",
      file: `${api}/dialect/dialect.ts`,
      find: 'parametersMember: "venice_parameters",',
      replace: 'parametersMember: "service_parameters",',
    },
    {
      does: "nulls are sent",
      file: `${api}/call/body/request.ts`,
      find: "if (value !== undefined && value !== null) rest[name] = value;",
      replace: "if (value !== undefined) rest[name] = value;",
    },
    {
      does: "paths may contain dot segments",
      file: `${api}/call/body/request.ts`,
      find: "if (/^\\.{0,2}$/.test(value)) throw",
      replace: 'if (value === "/") throw',
    },
    {
      does: "path members are not escaped",
      file: `${api}/call/body/request.ts`,
      find: "return encodeURIComponent(value);",
      replace: "return value;",
    },
    {
      does: "a wallet's sign-in is sent as a key",
      file: `${api}/call/body/request.ts`,
      find: "headers[dialect.walletHeader] = headerValue",
      replace: "headers.authorization = headerValue",
    },
    {
      does: "a form's length omits a line end",
      file: `${api}/call/body/multipart.ts`,
      find: "sizeOf(content) + 2,",
      replace: "sizeOf(content),",
    },
    {
      does: "a redirect is a service error",
      file: `${api}/errors/gateway.ts`,
      find: "if (status >= 300 && status <= 399) return redirectError(reply);",
      replace: "if (status < 0) return redirectError(reply);",
    },
    {
      does: "an HTML page is taken for a file",
      file: `${api}/call/body/decode.ts`,
      find: "const isAsked = !isJson(response) && !isHtml(response);",
      replace: "const isAsked = !isJson(response);",
    },
    {
      does: "an error event is a normal event",
      file: `${api}/stream/eventStream.ts`,
      find: "if (isErrorEvent(event)) {",
      replace: "if (isErrorEvent(undefined)) {",
    },
    {
      does: "a truncated stream is complete",
      file: `${api}/stream/eventStream.ts`,
      find: 'priced.hasEvents ? "truncated"',
      replace: 'priced.hasEvents ? "done"',
    },
    {
      does: "a file may be of any size",
      file: `${api}/binary.ts`,
      find: "if (received > maxBytes)",
      replace: "if (received > maxBytes * 1e6)",
    },
    {
      does: "a file may be of any type",
      file: `${api}/binary.ts`,
      find: "if (!expected.test(start))",
      replace: 'if (start === "")',
    },
    {
      does: "an invalid model fails the list",
      file: `${api}/endpoints/models.ts`,
      find: "data: listOf(Model) }),",
      replace: "data: z.array(Model) }),",
    },
    {
      does: "malformed replies omit the request id",
      file: `${api}/validate.ts`,
      find: "const known = requestId === undefined ? rest : { ...rest, requestId };",
      replace: "const known = rest;",
    },
    {
      does: "the error omits the size of the value",
      file: `${api}/validate.ts`,
      find: "message: size ?",
      replace: "message: size === null ?",
    },
    {
      does: "multi-edits report no model",
      file: `${api}/call/attempt.ts`,
      find: "return [model, modelId].find(",
      replace: "return [model].filter(() => modelId !== 0).find(",
    },
    {
      does: "the model list is requested without a key",
      file: `${api}/call/attempt.ts`,
      find: 'row.auth === "public" ? apiKey().catch(() => undefined)',
      replace: 'row.auth === "public" ? undefined',
    },
    {
      does: "secrets are not redacted",
      file: `${api}/errors/classify.ts`,
      find: "const text = redact(reply.text, reply.secrets);",
      replace: "const text = redact(reply.text, []);",
    },
    {
      does: "the client prices cached tokens like others",
      file: `${api}/money/estimate.ts`,
      find: "Math.max(0, prompt[0] - cached), Math.max(0, prompt[1] - cached)",
      replace: "Math.max(0, prompt[0]), Math.max(0, prompt[1])",
    },
  ],
};
