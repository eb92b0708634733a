import { join } from "node:path";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Members } from "../../../shared/members.ts";
import type { ConfigFormat } from "./configFormat.ts";
import { jsonFormat } from "./jsonFormat.ts";
import { tomlFormat } from "./tomlFormat.ts";
import { type ConfigMember, valueAt } from "./writtenConfig.ts";

/** The model that answers a program, with what the service lists of it. */
export interface ConfigModel {
  /** Its id. */
  readonly model: string;
  /** Tokens that it reads and writes in one call. Without it a program assumes a size, or never shortens a session. */
  readonly contextTokens?: number;
  /** Tokens that one answer can have. */
  readonly answerTokens?: number;
}

/** What a program is told. */
export interface ConfigAddress extends ConfigModel {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly origin: string;
  /** Absolute path of the file with its token. No configuration has the token itself. */
  readonly tokenFile: string;
}

/** Where programs look for their files. */
export interface ConfigPlaces {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the user's home folder. */
  readonly home: string;
  readonly isWindows: boolean;
}

/** The configuration of a program in a file of the user. */
export interface ProgramConfig {
  readonly format: ConfigFormat;
  /** Paths in the order in which they are looked for. The last one is made if there is none. */
  files(places: ConfigPlaces): readonly string[];
  members(address: ConfigAddress, places: Pick<ConfigPlaces, "isWindows">): readonly ConfigMember[];
  /** Members that would be used instead of the token, with the reason. */
  readonly others: readonly { readonly path: readonly string[]; readonly why: string }[];
}

const provider = "inference-workbench";
const title = "Inference Workbench";

const codex: ProgramConfig = {
  format: tomlFormat,
  files: ({ env, home }) => [join(env.CODEX_HOME || join(home, ".codex"), "config.toml")],
  members({ origin, model, contextTokens, tokenFile }, { isWindows }) {
    const table = ["model_providers", provider];
    const [command, ...args] = isWindows
      ? ["cmd.exe", "/d", "/c", "type", tokenFile]
      : ["/bin/cat", tokenFile];
    return [
      { path: ["model"], value: model },
      { path: ["model_provider"], value: provider },
      // That of another model would not be true of this one.
      { path: ["model_context_window"], value: contextTokens },
      // With a search, the price of the whole context is reserved for each call.
      { path: ["web_search"], value: "disabled" },
      { path: [...table, "name"], value: title },
      { path: [...table, "base_url"], value: `${origin}/v1` },
      { path: [...table, "wire_api"], value: "responses" },
      // It can't be there beside a command.
      { path: [...table, "env_key"], value: undefined },
      { path: [...table, "auth", "command"], value: command },
      { path: [...table, "auth", "args"], value: args },
    ];
  },
  others: [],
};

const openCode: ProgramConfig = {
  format: jsonFormat,
  files({ env, home }) {
    const folder = join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
    return [join(folder, "opencode.jsonc"), join(folder, "opencode.json")];
  },
  members({ origin, model, tokenFile, ...sizes }, { isWindows }) {
    if (/[{}"]/.test(tokenFile))
      throw new Refusal(`OpenCode can't read a file whose path has a brace or a quote: ${tokenFile}.`);
    const path = isWindows ? tokenFile.replaceAll("\\", "/") : tokenFile;
    const entry = ["provider", provider];
    const limit = openCodeLimit(sizes);
    return [
      { path: ["model"], value: `${provider}/${model}` },
      { path: ["small_model"], value: `${provider}/${model}` },
      { path: [...entry, "npm"], value: "@ai-sdk/openai-compatible" },
      { path: [...entry, "name"], value: title },
      { path: [...entry, "options", "baseURL"], value: `${origin}/v1` },
      { path: [...entry, "options", "apiKey"], value: `{file:${path}}` },
      { path: [...entry, "models", model, "name"], value: model },
      ...(limit ? [{ path: [...entry, "models", model, "limit"], value: limit }] : []),
    ];
  },
  others: [],
};

/** OpenCode takes both sizes or none. Without them it never shortens a session. */
export function openCodeLimit({ contextTokens, answerTokens }: Omit<ConfigModel, "model">) {
  if (contextTokens === undefined || answerTokens === undefined) return undefined;
  return { context: contextTokens, output: answerTokens };
}

const tokenNames = ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"] as const;

/** `variables`: those of a terminal in which it uses the gateway. */
function claudeCode(variables: (address: ConfigAddress) => Readonly<Record<string, string>>): ProgramConfig {
  return {
    format: jsonFormat,
    files: ({ env, home }) => [join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json")],
    members(address, { isWindows }) {
      const { tokenFile } = address;
      const helper = isWindows ? `type "${tokenFile}"` : `/bin/cat '${tokenFile.replaceAll("'", "'\\''")}'`;
      return [
        { path: ["apiKeyHelper"], value: helper },
        ...Object.entries(variables(address)).map(([name, value]) => ({ path: ["env", name], value })),
      ];
    },
    others: tokenNames.map((name) => ({
      path: ["env", name],
      why: `sets ${name}, which Claude Code sends in place of the token`,
    })),
  };
}

export const programConfigs = { codex, openCode, claudeCode };

/** Throws a `Refusal` if a configuration has what would be sent in place of the token. */
export function checkOthers(config: ProgramConfig, members: Members, file: string): void {
  for (const { path, why } of config.others)
    if (valueAt(members, path) !== undefined)
      throw new Refusal(`${file} ${why}. Remove it there first. Nothing was written.`);
}
