import { optionalMember } from "../../shared/members.ts";
import {
  type ConfigModel,
  openCodeLimit,
  type ProgramConfig,
  programConfigs,
} from "./configuration/programConfig.ts";

/** What a program needs to reach the gateway. */
interface GatewayAddress extends ConfigModel {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly origin: string;
}

/** How an agent that the user has is set up. Nothing here has a token: the program reads it from `tokenVariable`. */
export interface AgentProgram {
  /** As the ledger and the lists name it. */
  readonly name: string;
  /** Names of its program; empty if it has none of its own. */
  readonly commands: readonly string[];
  /** The variables of a terminal in which it uses the gateway, beside the token. */
  variables(address: GatewayAddress): Readonly<Record<string, string>>;
  /** The line to type in such a terminal; undefined for a program that has no terminal. */
  command(address: GatewayAddress): string | undefined;
  /** Its settings as text, and where they go. */
  settings(address: GatewayAddress): { readonly text: string; readonly where: string };
  /** Absent if it has no file that can do without the token. */
  readonly config?: ProgramConfig;
}

/** The variable with the token, in the terminals of the gateway. */
export const tokenVariable = "INFERENCE_GATEWAY_TOKEN";
const provider = "inference-workbench";
const title = "Inference Workbench";

const claudeCode: AgentProgram = {
  name: "Claude Code",
  commands: ["claude"],
  config: programConfigs.claudeCode(claudeVariables),
  variables: claudeVariables,
  command: () => "claude",
  settings: (address) => ({
    where: "the terminal before you start it, or “env” in ~/.claude/settings.json",
    text: Object.entries({ ...claudeVariables(address), ANTHROPIC_AUTH_TOKEN: `$${tokenVariable}` })
      .map(([name, value]) => `export ${name}="${value}"`)
      .join("\n"),
  }),
};

function claudeVariables({ origin, model, contextTokens }: GatewayAddress): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_BASE_URL: origin,
    ANTHROPIC_MODEL: model,
    // Its small tasks, too: the service does not know the names of its own models.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    // It assumes a million for a name that it does not know.
    ...(contextTokens === undefined ? {} : { CLAUDE_CODE_MAX_CONTEXT_TOKENS: String(contextTokens) }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    // A line that differs in each request, so that no cache finds its beginning.
    CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
  };
}

const codex: AgentProgram = {
  name: "Codex",
  commands: ["codex"],
  config: programConfigs.codex,
  variables: () => ({}),
  command: (address) => `codex ${codexOptions(address).join(" ")}`,
  settings: ({ origin, model, contextTokens }) => ({
    where: "the beginning of ~/.codex/config.toml (the lines before the table) and its end (the table)",
    // Basic strings of TOML are those of JSON.
    text: [
      `model = ${JSON.stringify(model)}`,
      `model_provider = "${provider}"`,
      'web_search = "disabled"',
      ...(contextTokens === undefined ? [] : [`model_context_window = ${contextTokens}`]),
      "",
      `[model_providers.${provider}]`,
      `name = "${title}"`,
      `base_url = "${origin}/v1"`,
      'wire_api = "responses"',
      `env_key = "${tokenVariable}"`,
    ].join("\n"),
  }),
};

/** With a search, the price of the whole context is reserved for each call: results of any length are added to the prompt. */
const noSearch = "web_search=disabled";

/** One word each, for every shell: none has a space, a quote or a bracket. */
function codexOptions({ origin, model, contextTokens }: GatewayAddress): readonly string[] {
  const of = (name: string, value: string) => ["-c", `model_providers.${provider}.${name}=${value}`];
  return [
    ...["-c", `model_provider=${provider}`],
    ...["-c", noSearch],
    ...(contextTokens === undefined ? [] : ["-c", `model_context_window=${contextTokens}`]),
    ...of("name", provider),
    ...of("base_url", `${origin}/v1`),
    ...of("wire_api", "responses"),
    ...of("env_key", tokenVariable),
    ...["-m", model],
  ];
}

const openCode: AgentProgram = {
  name: "OpenCode",
  commands: ["opencode"],
  config: programConfigs.openCode,
  variables: (address) => ({ OPENCODE_CONFIG_CONTENT: JSON.stringify(openCodeConfiguration(address)) }),
  command: () => "opencode",
  settings: (address) => ({
    where: "opencode.json of the project, or ~/.config/opencode/opencode.json",
    text: JSON.stringify(openCodeConfiguration(address), undefined, 2),
  }),
};

function openCodeConfiguration({ origin, model, ...sizes }: GatewayAddress) {
  const options = { baseURL: `${origin}/v1`, apiKey: `{env:${tokenVariable}}` };
  const entry = {
    npm: "@ai-sdk/openai-compatible",
    name: title,
    options,
    models: { [model]: { name: model, ...optionalMember("limit", openCodeLimit(sizes)) } },
  };
  return {
    provider: { [provider]: entry },
    model: `${provider}/${model}`,
    small_model: `${provider}/${model}`,
  };
}

const cline: AgentProgram = {
  name: "Cline",
  commands: ["cline"],
  variables: () => ({}),
  command: () => undefined,
  settings: (address) => ({
    where: "the settings of Cline: API Provider “OpenAI Compatible”. Copy the token for its API key",
    text: [`Base URL: ${address.origin}/v1`, `Model ID: ${address.model}`].join("\n"),
  }),
};

const other: AgentProgram = {
  name: "Other Program",
  commands: [],
  variables: ({ origin }) => ({ OPENAI_BASE_URL: `${origin}/v1`, ANTHROPIC_BASE_URL: origin }),
  command: () => undefined,
  settings: ({ origin, model }) => ({
    where: "a program that speaks one of these APIs. Copy the token for its API key",
    text: [`OpenAI base URL: ${origin}/v1`, `Anthropic base URL: ${origin}`, `Model: ${model}`].join("\n"),
  }),
};

export const agentPrograms: readonly AgentProgram[] = [claudeCode, codex, openCode, cline, other];

/**
 * True if a model's id means itself in every shell and in every configuration. The service chooses ids: another one could run
 * a command where it is pasted, be an option of a program, or name a file that a configuration reads.
 */
export function isPlainId(model: string): boolean {
  return /^\w[\w.:/@+-]{0,199}$/.test(model);
}
