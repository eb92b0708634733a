/**
 * What a file may import is decided twice: by its domain, which may use those of lower rows, and by its runtime, which
 * may load certain modules. Paths are those below src/. `X/` is a folder; `*` is one name.
 */

/** Bundles begin here. They may import everything but pages. */
export const entryPoints = ["extension.ts", "lazyBundle.ts", "startBundle.ts", "rpcRun.ts"];
/** The domains, from the top down. Domains of one row don't know each other. */
export const domains: readonly (readonly string[])[] = [
  ["chat"],
  ["rpc", "images", "agents"],
  [
    "account",
    "web",
    "speech",
    "editor",
    "completions",
    "languageModels",
    "tools",
    "connection",
    "requests",
    "gateway",
  ],
  ["changes"],
  ["session"],
  ["wallet", "sandbox"],
  ["platform"],
  ["api", "webview"],
  ["shared"],
];

export interface Runtime {
  readonly name: string;
  readonly folders: readonly string[];
  /** Runtimes whose files it may import, and other folders. */
  readonly imports: readonly string[];
  /** `node:` is all of Node; `*` every package without a home, but `vscode`. */
  readonly modules: readonly string[];
  /** No import of a value leads to `vscode`, even through other files. */
  readonly runsWithoutEditor?: true;
}

/** The first row that matches a file is its runtime. */
export const runtimes: readonly Runtime[] = [
  {
    name: "protocol",
    folders: ["shared/", "*/protocol/", "rpc/output/"],
    imports: ["protocol"],
    modules: ["zod"],
  },
  {
    name: "page",
    folders: ["webview/", "*/page/", "rpc/renderer/"],
    imports: ["page", "protocol"],
    modules: ["*"],
  },
  {
    name: "language",
    folders: ["rpc/language/", "rpc/file/", "rpc/simulate/"],
    imports: ["language", "protocol", "api/money/"],
    modules: ["jsonc-parser"],
  },
  {
    name: "node",
    folders: [
      ...["api/", "sandbox/", "platform/process/", "tools/mcp/server/process/"],
      "tools/mcp/client/connection/",
      ...["gateway/address/", "gateway/clients/", "gateway/formats/", "gateway/server/"],
      ...["rpc/cli/", "rpc/contract/", "rpc/evm/", "rpc/exchange/", "rpc/fork/", "rpc/run/"],
    ],
    imports: ["node", "language", "protocol", "host"],
    modules: ["node:", "*"],
    runsWithoutEditor: true,
  },
  {
    name: "host",
    folders: [""],
    imports: ["host", "node", "language", "protocol"],
    modules: ["vscode", "node:", "*"],
  },
];

/** A second implementation of the service, which can disagree with the client: it reads no other code of the client. */
export const sandboxReads =
  "shared/ api/table.ts api/endpoint.ts api/endpoints/ api/dialect/dialect.ts api/transport/boundedFetch.ts api/transport/undici.ts platform/process/anvil.ts".split(
    " ",
  );

/** Packages with one importer, so that they can be replaced in one place. */
export const homes: Readonly<Record<string, string>> = {
  undici: "api/transport/undici.ts",
  "eventsource-parser": "api/stream/sse.ts",
};
