import * as vscode from "vscode";
import { Lazy } from "../../platform/lazy.ts";
import { serviceToolNames } from "../../shared/names/ids.ts";
import type { ToolInput } from "../serviceTool.ts";
import type { ModelToolsDeps } from "./deps.ts";

/** Offers the tools of the service to agents of the editor. The code is loaded when the first one is called. */
export function registerModelTools(deps: ModelToolsDeps): vscode.Disposable {
  const feature = new Lazy(async () => new (await import("./modelTools.ts")).ModelTools(deps));
  const register = (name: string) =>
    vscode.lm.registerTool<ToolInput>(name, {
      prepareInvocation: async ({ input }, token) => (await feature.get()).prepare(name, input, token),
      invoke: async ({ input }, token) => (await feature.get()).invoke(name, input, token),
    });
  return vscode.Disposable.from(...Object.values(serviceToolNames).map(register));
}
