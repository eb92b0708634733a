import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { requestScheme } from "../../shared/names/ids.ts";
import type { RequestsDeps } from "./deps.ts";
import type { RequestsFeature } from "./requestsFeature.ts";

/** The list of requests, and what records them. The feature is loaded by the first call, or by its command. */
export function registerRequests(deps: RequestsDeps): Domain<RequestsFeature> {
  const { session, log, globalStorageUri } = deps;
  const report = (error: unknown) => log.error(String(error));
  const feature = new Lazy(async () => (await import("./requestsFeature.ts")).createRequestsFeature(deps));
  const use = (work: (loaded: RequestsFeature) => unknown) => void feature.get().then(work).catch(report);
  return new Domain(
    feature,
    session.onDidReceive(({ event, ...of }) => {
      if (event.type === "called") use((loaded) => loaded.record(of, event));
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("inference.requests")) use((loaded) => loaded.configure());
    }),
    afterActivation(
      async () =>
        vscode.workspace.registerTextDocumentContentProvider(requestScheme, {
          provideTextDocumentContent: async (uri) => (await feature.get()).documentOf(uri),
        }),
      report,
    ),
    // What is too old is deleted without any call: nothing is, while the extension is not used.
    afterActivation(async () => {
      const { deleteOldRequests } = await import("./oldRequests.ts");
      await deleteOldRequests(globalStorageUri);
    }, report),
  );
}
