import type { Area } from "../mutant.ts";
import { contract, contractRows, unit } from "../select.ts";

const api = "src/api";

/** What all calls of the client share. */
export const clientArea: Area = {
  tests: [
    unit(
      "api/{classify,statuses,retry,limits,dialect,input,secrets,url,wallet,binary,replies,resend,stream,streamError}",
      "limits/*",
      "money/*",
      "files/*",
    ),
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
      does: "four tries",
      file: `${api}/retry.ts`,
      find: "export const maxResends = 2;",
      replace: "export const maxResends = 3;",
    },
    {
      does: "a 500 is asked again though it may be billed",
      file: `${api}/retry.ts`,
      find: "billed: new Set([429, 503]),",
      replace: "billed: new Set([429, 500, 503]),",
    },
    {
      does: "chat is asked again after a 502",
      file: `${api}/retry.ts`,
      find: "unanswered: new Set([429, 500, 503]),",
      replace: "unanswered: passing,",
    },
    {
      does: "a lost answer is asked for again by any class",
      file: `${api}/retry.ts`,
      find: 'return resend === "reading" || resend === "keyed" || mayHaveArrived === false;',
      replace: "return true;",
    },
    {
      does: "the failure budget is tried again",
      file: `${api}/retry.ts`,
      find: 'return error.kind !== "failure-budget" && refusedUnbilled',
      replace: "return refusedUnbilled",
    },
    {
      does: "the time that the service names is not waited for",
      file: `${api}/retry.ts`,
      find: "named === undefined ? random()",
      replace: "named !== null ? random()",
    },
    {
      does: "sixteen failures",
      file: `${api}/rateLimiter.ts`,
      find: "failures: 15,",
      replace: "failures: 16,",
    },
    {
      does: "21 keys a minute are let out",
      file: `${api}/rateLimiter.ts`,
      find: '"keys.create": 20 }',
      replace: '"keys.create": 21 }',
    },
    {
      does: "bursts are not counted down",
      file: `${api}/rateLimiter.ts`,
      find: "remaining: requests.remaining - 1",
      replace: "remaining: requests.remaining",
    },
    {
      does: "milliseconds are read as seconds",
      file: `${api}/limits.ts`,
      find: "if (number >= 1e12) return number;",
      replace: "if (number >= 1e15) return number;",
    },
    {
      does: "Retry-After is not read",
      file: `${api}/limits.ts`,
      find: "if (after !== undefined) return after;",
      replace: "",
    },
    {
      does: "an admin's key is not asked for by name",
      file: `${api}/classify.ts`,
      find: "/admin (api )?key/i.test(message)",
      replace: "/administrator/i.test(message)",
    },
    {
      does: "405 is no not-found",
      file: `${api}/classify.ts`,
      find: '    405: "not-found",\n',
      replace: "",
    },
    {
      does: "customMessage is not preferred",
      file: `${api}/classify.ts`,
      find: "    body.customMessage,\n    nested?.customMessage,\n",
      replace: "",
    },
    {
      does: "a wallet's shortage is the account's",
      file: `${api}/classify.ts`,
      find: 'return "wallet";',
      replace: 'return "account";',
    },
    {
      does: "a key's limit is the account's",
      file: `${api}/classify.ts`,
      find: '? "key-limit" : "account"',
      replace: '? "account" : "account"',
    },
    {
      does: "the tree of issues is not read",
      file: `${api}/fieldIssues.ts`,
      find: "[body.details, nested.details].flatMap",
      replace: "[].flatMap",
    },
    {
      does: "the suggested prompt is dropped",
      file: `${api}/classify.ts`,
      find: "...(suggestedPrompt ? { suggestedPrompt } : {}),",
      replace: "",
    },
    {
      does: "venice's parameters keep the spec's name",
      file: `${api}/dialect.ts`,
      find: 'parametersMember: "venice_parameters",',
      replace: 'parametersMember: "service_parameters",',
    },
    {
      does: "nulls are sent",
      file: `${api}/request.ts`,
      find: "if (value !== undefined && value !== null) rest[name] = value;",
      replace: "if (value !== undefined) rest[name] = value;",
    },
    {
      does: "dots stand in paths",
      file: `${api}/request.ts`,
      find: "if (/^\\.{0,2}$/.test(value)) throw",
      replace: 'if (value === "/") throw',
    },
    {
      does: "path members are not escaped",
      file: `${api}/request.ts`,
      find: "return encodeURIComponent(value);",
      replace: "return value;",
    },
    {
      does: "a wallet's sign-in goes as a key",
      file: `${api}/request.ts`,
      find: "headers[dialect.walletHeader] = headerValue",
      replace: "headers.authorization = headerValue",
    },
    {
      does: "a form's length leaves a line end out",
      file: `${api}/multipart.ts`,
      find: "sizeOf(content) + 2,",
      replace: "sizeOf(content),",
    },
    {
      does: "a redirect is a service's error",
      file: `${api}/decode.ts`,
      find: "if (status < 300 || status > 399) return",
      replace: "if (status > 0) return",
    },
    {
      does: "a page passes for a file",
      file: `${api}/decode.ts`,
      find: 'if (row.decode === "binary" && !isJson(response) && !isHtml(response)) {',
      replace: 'if (row.decode === "binary" && !isJson(response)) {',
    },
    {
      does: "an error event is an event",
      file: `${api}/eventStream.ts`,
      find: "if (isErrorEvent(event)) {",
      replace: "if (isErrorEvent(undefined)) {",
    },
    {
      does: "a stream that is cut off is done",
      file: `${api}/eventStream.ts`,
      find: '?? "truncated";',
      replace: '?? "done";',
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
      does: "an odd model fails the listing",
      file: `${api}/endpoints/models.ts`,
      find: "data: listOf(Model) }),",
      replace: "data: z.array(Model) }),",
    },
    {
      does: "malformed replies do not name the request",
      file: `${api}/validate.ts`,
      find: "const known = requestId === undefined ? rest : { ...rest, requestId };",
      replace: "const known = rest;",
    },
    {
      does: "the value's size is not told",
      file: `${api}/validate.ts`,
      find: "message: size ?",
      replace: "message: size === null ?",
    },
    {
      does: "multi-edits name no model",
      file: `${api}/attempt.ts`,
      find: "return [model, modelId].find(",
      replace: "return [model].filter(() => modelId !== 0).find(",
    },
    {
      does: "the listing is sent no key",
      file: `${api}/attempt.ts`,
      find: 'row.auth === "public" ? apiKey().catch(() => undefined)',
      replace: 'row.auth === "public" ? undefined',
    },
    {
      does: "secrets stay in errors",
      file: `${api}/classify.ts`,
      find: "const text = redact(reply.text, reply.secrets);",
      replace: "const text = redact(reply.text, []);",
    },
    {
      does: "cached tokens cost as fresh ones here",
      file: `${api}/money/estimate.ts`,
      find: "Math.max(0, tokens.prompt[0] - tokens.cached),",
      replace: "Math.max(0, tokens.prompt[0]),",
    },
  ],
};
