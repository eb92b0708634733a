import * as vscode from "vscode";
import type { Called } from "../../api/call/record/callRecorder.ts";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { readRequestSettings } from "../../platform/settings.ts";
import type { ClientActivity } from "../../session/session.ts";
import { commands } from "../../shared/names/ids.ts";
import type { RequestsDeps } from "./deps.ts";
import { headOf } from "./log/requestHead.ts";
import { RequestLog } from "./log/requestLog.ts";
import { documentOf } from "./requestDocuments.ts";
import { RequestsView } from "./requestsView.ts";
import { Traces } from "./traces/traces.ts";

export interface RequestsFeature extends vscode.Disposable {
  readonly commands: DomainCommands<"requests">;
  /** Records a call that is over. */
  record(activity: Omit<ClientActivity, "event">, called: Called): Promise<void>;
  /** The settings have changed: deletes what is not kept any more. */
  configure(): Promise<void>;
  documentOf(uri: vscode.Uri): Promise<string>;
}

export function createRequestsFeature(deps: RequestsDeps): RequestsFeature {
  const { globalStorageUri, log } = deps;
  const calls = new RequestLog(vscode.Uri.joinPath(globalStorageUri, "requests").fsPath, {
    now: Date.now,
    keepDays: () => readRequestSettings().keepDays,
    onUnwritable(error) {
      log.error(String(error));
      void vscode.window.showWarningMessage(
        "Requests can't be recorded, because their file can't be written. Nothing else is affected. See whether the disk is full.",
      );
    },
  });
  const view = new RequestsView(deps, calls);
  const traces = new Traces(deps);
  return {
    commands: {
      [commands.requestsShow]: (id) => view.show(typeof id === "string" ? id : undefined),
      [commands.requestsClear]: () => view.clear(),
    },
    async record({ connection, prices }, called) {
      const head = await headOf(connection, called, prices);
      traces.record(connection, head, called).catch((error: unknown) => log.error(String(error)));
      await calls.add(head, called);
      view.changed();
    },
    async configure() {
      await calls.prune();
      view.changed();
      await traces.configure();
    },
    documentOf: (uri) => documentOf((id) => view.contentOf(id), uri),
    dispose: () => vscode.Disposable.from(view, traces).dispose(),
  };
}
