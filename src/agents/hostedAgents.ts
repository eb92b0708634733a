import { agentPrograms, tokenVariable } from "../gateway/programs/agentPrograms.ts";
import type { HostedAgentName } from "../shared/chat/hostedAgentNames.ts";

/** Where an agent sends its calls. */
interface HostedAddress {
  /** `http://127.0.0.1:PORT`, without `/v1`. */
  readonly origin: string;
  /** Id of the model that answers. */
  readonly model: string;
  /** Valid for this run of the agent alone. It is in the environment, never in a file or an argument. */
  readonly token: string;
}

/** An agent that a window can start. */
export interface HostedAgent {
  /** As in `agentPrograms`, which has the names of its program. */
  readonly name: HostedAgentName;
  /** The command line that installs it. */
  readonly install: string;
  readonly args: readonly string[];
  /** It takes the model in its session: see `AgentStart`. */
  readonly asksForModel?: true;
  /** Variables beside those of the window. `folder`: where `file` is. */
  variables(address: HostedAddress, folder: string): Readonly<Record<string, string>>;
  /** A file that it reads in a folder for this run; undefined if it needs none. */
  file?(address: Pick<HostedAddress, "origin" | "model">): { readonly path: string; readonly text: string };
}

/** OpenCode asks the user before these. Edits need no question: they are hunks, which the user reviews. */
const openCodePermissions = { bash: "ask", webfetch: "ask", external_directory: "ask" };

const openCode: HostedAgent = {
  name: "OpenCode",
  install: "npm install --global opencode-ai",
  args: ["acp"],
  variables: ({ token, ...address }) => ({
    ...agentPrograms.find(({ name }) => name === openCode.name)?.variables(address),
    [tokenVariable]: token,
    OPENCODE_PERMISSION: JSON.stringify(openCodePermissions),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
  }),
};

const clineProvider = "openai-compatible";

/** It has the address from a file only, and all else from variables. Its data of this run are in the same folder. */
const cline: HostedAgent = {
  name: "Cline",
  install: "npm install --global cline",
  args: ["--acp"],
  // It begins with a model that it knows.
  asksForModel: true,
  variables: ({ token }, folder) => ({
    CLINE_DATA_DIR: folder,
    CLINE_PROVIDER: clineProvider,
    CLINE_API_KEY: token,
  }),
  file: ({ origin, model }) => ({
    path: "settings/providers.json",
    text: JSON.stringify({
      version: 1,
      lastUsedProvider: clineProvider,
      modes: {},
      providers: {
        [clineProvider]: {
          settings: { provider: clineProvider, model, baseUrl: `${origin}/v1` },
          updatedAt: new Date(0).toISOString(),
          tokenSource: "manual",
        },
      },
    }),
  }),
};

export const hostedAgents: readonly HostedAgent[] = [openCode, cline];
