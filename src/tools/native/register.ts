import * as vscode from "vscode";
import { serviceToolNames } from "../../shared/ids.ts";
import type { ToolInput } from "../serviceTool.ts";
import type { ModelToolsDeps } from "./deps.ts";
import type { ModelTools } from "./modelTools.ts";

/** Offers the tools of the service to agents of the editor. The code is loaded when the first one is called. */
export function registerModelTools(deps: ModelToolsDeps): vscode.Disposable {
  let loading: Promise<ModelTools> | undefined;
  const load = async () => {
    const { createModelTools } = await import("./modelTools.ts");
    return createModelTools(deps);
  };
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const register = (name: string) =>
    vscode.lm.registerTool<ToolInput>(name, {
      prepareInvocation: async ({ input }, token) => (await feature()).prepare(name, input, token),
      invoke: async ({ input }, token) => (await feature()).invoke(name, input, token),
    });
  return vscode.Disposable.from(...Object.values(serviceToolNames).map(register));
}
