import { ApiError } from "../../api/errors/errors.ts";
import { readSettings } from "../../platform/settings.ts";
import type { LocalModelScan } from "../session.ts";

/** A running sandbox, as the session sees it. */
interface RunningSandbox {
  readonly baseUrl: string;
  readonly apiKey: string;
  setTokensPerSecond(tokensPerSecond: number): void;
  setModelServers(addresses: readonly string[]): void;
  findLocalModels(signal: AbortSignal): Promise<{
    readonly models: readonly {
      readonly model: {
        readonly record: { readonly id: string; readonly model_spec: { readonly name: string } };
      };
    }[];
    readonly problems: readonly string[];
  }>;
  close(): Promise<void>;
}

/** Loads the bundle of the sandbox and starts it. */
export type StartSandbox = (options: {
  dialect: "standard" | "venice";
  tokensPerSecond: number;
  modelServers: readonly string[];
}) => Promise<RunningSandbox>;

/** The sandbox of this window, with the settings of the user. */
export interface SandboxProcess {
  /** Starts it if it is not running in the dialect of the settings. Throws ApiError `unavailable`. */
  ensure(): Promise<RunningSandbox>;
  /** Applies changed settings to a running sandbox. A changed dialect is applied by the next `ensure`. */
  configure(): void;
  findLocalModels(signal: AbortSignal): Promise<LocalModelScan>;
  close(): void;
}

export function createSandboxProcess(start: StartSandbox): SandboxProcess {
  let sandbox: { readonly dialect: string; readonly running: Promise<RunningSandbox> } | undefined;
  const close = () => {
    void sandbox?.running.then((running) => running.close()).catch(() => {});
    sandbox = undefined;
  };
  const ensure = async (): Promise<RunningSandbox> => {
    const { dialect, tokensPerSecond, modelServers } = readSettings().sandbox;
    if (sandbox?.dialect !== dialect) {
      close();
      sandbox = { dialect, running: start({ dialect, tokensPerSecond, modelServers }) };
    }
    const started = sandbox;
    try {
      return await started.running;
    } catch (error) {
      // The next call retries the start.
      if (sandbox === started) sandbox = undefined;
      throw new ApiError("unavailable", `the sandbox did not start: ${String(error)}`, {
        mayHaveArrived: false,
      });
    }
  };
  return {
    ensure,
    configure() {
      const { tokensPerSecond, modelServers } = readSettings().sandbox;
      const adapt = (running: RunningSandbox) => {
        running.setTokensPerSecond(tokensPerSecond);
        running.setModelServers(modelServers);
      };
      void sandbox?.running.then(adapt).catch(() => {});
    },
    async findLocalModels(signal) {
      const { models, problems } = await (await ensure()).findLocalModels(signal);
      const found = models.map(({ model: { record } }) => ({ id: record.id, name: record.model_spec.name }));
      return { models: found, problems };
    },
    close,
  };
}
