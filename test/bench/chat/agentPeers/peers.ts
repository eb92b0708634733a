// Other agents, as programs of npm in a folder of their own.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentPrograms } from "../../../../src/gateway/programs/agentPrograms.ts";
import { claudeCode, cline, codex, openCode } from "../../../agentTasks/peerStyles.ts";
import type { Style } from "../../../agentTasks/styles.ts";

export interface PeerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Peer {
  readonly style: Style;
  /** The commands that make it know the server, then the one that does the task. */
  commands(place: PeerPlace, question: string): readonly PeerCommand[];
  /** Its program below the folder of installed peers. */
  readonly program: string;
  /** Speaks an API that only the gateway has. */
  readonly needsGateway?: true;
}

export interface PeerPlace {
  /** Absolute path of the installed program. */
  readonly program: string;
  /** The workspace, which is absolute. */
  readonly folder: string;
  readonly baseUrl: string;
  /** What it sends as its key. */
  readonly key: string;
}

const model = "m";

export const peers: readonly Peer[] = [
  {
    style: openCode,
    program: "node_modules/opencode-linux-x64/bin/opencode",
    commands({ program, folder, baseUrl, key }, question) {
      const options = { baseURL: baseUrl, apiKey: key };
      const provider = { npm: "@ai-sdk/openai-compatible", name: "test", options, models: { [model]: {} } };
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "opencode.json"), JSON.stringify({ provider: { test: provider } }));
      const env = { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" };
      return [{ program, args: ["run", "-m", `test/${model}`, question], env }];
    },
  },
  {
    style: codex,
    program: "node_modules/.bin/codex",
    commands({ program, baseUrl, key }, question) {
      const provider = `model_providers.test={name="test",base_url="${baseUrl}",wire_api="responses",env_key="TEST_KEY"}`;
      const allowed = ["--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      const chosen = ["-c", "model_provider=test", "-c", provider, "-c", "web_search=disabled", "-m", model];
      return [{ program, args: ["exec", ...allowed, ...chosen, question], env: { TEST_KEY: key } }];
    },
  },
  {
    style: cline,
    program: "node_modules/.bin/cline",
    commands({ program, baseUrl, key }, question) {
      const known = ["auth", "openai", "--apikey", key, "--modelid", model, "--baseurl", baseUrl];
      return [
        { program, args: known },
        { program, args: ["-P", "openai", "-m", model, "--json", question] },
      ];
    },
  },
  {
    style: claudeCode,
    program: "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
    needsGateway: true,
    commands({ program, baseUrl, key }, question) {
      const known = agentPrograms.find(({ name }) => name === claudeCode.name);
      const variables = known?.variables({ origin: baseUrl.replace(/\/v1$/, ""), model });
      const allowed = ["--allowedTools", "Bash,Read,Edit,Write"];
      const env = { ...variables, ANTHROPIC_AUTH_TOKEN: key };
      return [{ program, args: ["-p", question, ...allowed], env }];
    },
  },
];

/** Those that are installed in a folder. */
export function installedPeers(folder: string): readonly Peer[] {
  return peers.filter(({ program }) => existsSync(join(folder, program)));
}
