import { applyEdits, format } from "jsonc-parser";
import { localNetwork } from "../../../shared/rpc/networks.ts";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { ContractCall } from "../../language/encode/encodeRequest.ts";
import { castCall, ethersCall, foundryTest, viemCall } from "./writeCall.ts";

/** One JSON-RPC call. */
export interface WireItem {
  readonly method: string;
  readonly params: readonly unknown[];
  /** Each parameter as JSON, if the user wrote it so. */
  readonly written?: readonly string[] | undefined;
  /** For `call` lines whose values are all known. */
  readonly call?: ContractCall;
}

export interface WireRequest {
  readonly network: string;
  /** One item or a batch, as JSON. */
  readonly text: string;
  readonly items: readonly WireItem[];
  /** The idempotency key. Only forms that send the body as it is use it: other libraries add requests of their own. */
  readonly key?: string;
  /** The API's root, without a key. */
  readonly root: string;
  /** The address behind `local`. */
  readonly localNode?: string;
}

export const exportForms = ["curl", "cast", "viem", "ethers", "Foundry test", "Python", "JSON-RPC"] as const;
export type ExportForm = (typeof exportForms)[number];

/** Writes a request for another tool. The key is always the variable INFERENCE_API_KEY. */
export function writeRequest(form: ExportForm, request: WireRequest): string {
  return writers[form](request);
}

/** In JavaScript. */
const bearer = '"Bearer " + process.env.INFERENCE_API_KEY';

const writers: Readonly<Record<ExportForm, (request: WireRequest) => string>> = {
  curl: ({ text, key, ...at }) =>
    [
      `curl ${quoted(urlOf(at))} \\`,
      `  -H "Authorization: Bearer $INFERENCE_API_KEY" \\`,
      `  -H "Content-Type: application/json" \\`,
      ...(key === undefined ? [] : [`  -H "Idempotency-Key: ${key}" \\`]),
      `  -d ${quoted(text)}`,
    ].join("\n"),
  cast: ({ items, ...at }) =>
    items
      .map(({ method, params, written, call }) => {
        const target = `  --rpc-url ${quoted(urlOf(at))} \\\n  --rpc-headers "Authorization: Bearer $INFERENCE_API_KEY"`;
        if (call) {
          const { options, words } = castCall(call, dataOf(params));
          const head = ["cast call", ...options.map(quoted)].join(" ");
          return `${head} \\\n${target} \\\n  ${words.map(quoted).join(" ")}`;
        }
        const args = params.map((one, at) =>
          quoted(isBare(one) ? one : (written?.[at] ?? exactJsonText(one))),
        );
        return `${["cast rpc", quoted(method), ...args].join(" ")} \\\n${target}`;
      })
      .join("\n"),
  viem: ({ items, ...at }) =>
    [
      `import { createPublicClient, http${items.some(({ call }) => call) ? ", parseAbi" : ""} } from "viem";`,
      "",
      "const client = createPublicClient({",
      `  transport: http(${JSON.stringify(urlOf(at))}, {`,
      "    batch: true,",
      `    fetchOptions: { headers: { Authorization: ${bearer} } },`,
      "  }),",
      "});",
      "const results = await Promise.all([",
      ...items.map((item) =>
        item.call
          ? viemCall(item.call)
          : `  client.request({ method: ${JSON.stringify(item.method)}, params: ${scriptText(item)} }),`,
      ),
      "]);",
      "console.log(results);",
    ].join("\n"),
  ethers: ({ items, ...at }) =>
    [
      `import { ${items.some(({ call }) => call) ? "Contract, " : ""}FetchRequest, JsonRpcProvider } from "ethers";`,
      "",
      `const request = new FetchRequest(${JSON.stringify(urlOf(at))});`,
      `request.setHeader("Authorization", ${bearer});`,
      "const provider = new JsonRpcProvider(request);",
      "const results = await Promise.all([",
      ...items.map((item) =>
        item.call
          ? ethersCall(item.call)
          : `  provider.send(${JSON.stringify(item.method)}, ${scriptText(item)}),`,
      ),
      "]);",
      "console.log(results);",
    ].join("\n"),
  "Foundry test": ({ items, ...at }) => foundryTest(items, urlOf(at)),
  Python: ({ text, key, ...at }) =>
    [
      "import json, os, urllib.request",
      "",
      `body = ${pythonText(text)}`,
      "request = urllib.request.Request(",
      `    ${pythonText(urlOf(at))},`,
      "    body.encode(),",
      "    {",
      '        "Authorization": f"Bearer {os.environ[\'INFERENCE_API_KEY\']}",',
      '        "Content-Type": "application/json",',
      ...(key === undefined ? [] : [`        "Idempotency-Key": "${key}",`]),
      "    },",
      ")",
      "with urllib.request.urlopen(request) as answer:",
      "    print(json.dumps(json.load(answer), indent=2))",
    ].join("\n"),
  "JSON-RPC": ({ text }) => indented(text),
};

/** JSON over several lines. A parsed value would lose how its numbers are written. */
export function indented(json: string): string {
  return applyEdits(json, format(json, undefined, { tabSize: 2, insertSpaces: true, eol: "\n" }));
}

function urlOf({ root, network, localNode }: Omit<WireRequest, "text" | "items">): string {
  if (network === localNetwork && localNode !== undefined) return localNode;
  return `${root}/crypto/rpc/${network}`;
}

/** The parameters in JavaScript, which would write a number such as 1e3 or one beyond 2^53 in another way. */
function scriptText({ params, written }: WireItem): string {
  const json = written ? `[${written.join(",")}]` : exactJsonText(params);
  const tokens = json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[^"\d-]+/g);
  return Array.from(tokens, ([token]) =>
    /^[-\d]/.test(token) && String(Number(token)) !== token ? `JSON.rawJSON("${token}")` : token,
  ).join("");
}

/** The bytes of a call of a contract. */
function dataOf([call]: readonly unknown[]): unknown {
  return typeof call === "object" && call !== null && "data" in call ? call.data : "0x";
}

/** True for text that cast accepts unquoted. Text that starts like an option could redirect the request and its key. */
function isBare(param: unknown): param is string {
  return typeof param === "string" && !param.startsWith("-");
}

/** Quotes for a POSIX shell. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}

/** JSON strings are valid Python strings. */
function pythonText(text: string): string {
  return JSON.stringify(text);
}
