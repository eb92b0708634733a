// Contestants of the benchmark `lm-overhead`. Each asks once, and returns the delay of each part and the process's growth.
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { LanguageModelsDeps } from "../../../src/languageModels/deps.ts";
import type { ListedModel } from "../../../src/languageModels/languageModels.ts";
import { memento } from "../../unit/memento.ts";
import { openConsents } from "../../unit/session/openConsents.ts";
import { double } from "../../unit/vscodeDouble.ts";
import type { Prepare } from "../interleave.ts";
import { type Asked, askBare, watched } from "../pacedClient.ts";

export const provider: Prepare<string, Asked> = async (origin) => {
  // The double has to be there before the first import of `vscode`.
  const { createLanguageModels } = await import("../../../src/languageModels/languageModels.ts");
  const connection = { id: "one", name: "One", kind: "live", baseUrl: `${origin}/api/v1` };
  const api = createApi(table, createHostTransport(), {
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  const models = createLanguageModels({
    session: { active: connection, clientOf: async () => ({ connection, api }) },
    connections: { all: () => [connection], byId: () => connection },
    chosenModels: { get: () => undefined },
    consents: openConsents(),
    globalState: memento(),
    log: { warn() {} },
  } as unknown as LanguageModelsDeps);
  const model = { id: "one/long", modelId: "long", connectionId: "one", name: "Long" } as ListedModel;
  const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  return (asked) =>
    watched((report) => {
      const content = [new double.LanguageModelTextPart(asked)];
      const messages = [{ role: 1, content, name: undefined }] as never;
      const progress = { report: (part: object) => report(String(Reflect.get(part, "value"))) };
      return models.respond(model, messages, { toolMode: 1 }, progress, token as never);
    });
};

export const bare: Prepare<string, Asked> = (origin) => (asked) =>
  askBare(`${origin}/api/v1/chat/completions`, asked);
