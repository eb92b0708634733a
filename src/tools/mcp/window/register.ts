import * as vscode from "vscode";
import { readMcpEnabled } from "../../../platform/settings.ts";
import { commands, mcpProvider, settings } from "../../../shared/ids.ts";
import type { McpDeps } from "./deps.ts";
import type { McpFeature } from "./mcpFeature.ts";

/** Offers the tools of the service to MCP clients. Nothing is loaded or opened before the setting is switched on. */
export function registerMcp(deps: McpDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let loading: Promise<McpFeature> | undefined;
  const load = async () => (await import("./mcpFeature.ts")).createMcpFeature(deps);
  const feature = () => {
    loading ??= load();
    return loading;
  };
  const followSetting = async () => {
    if (readMcpEnabled()) await (await feature()).start();
    else await (await loading)?.stop();
    changed.fire();
  };
  if (readMcpEnabled()) void followSetting();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.mcpEnabled)) void followSetting();
    }),
    vscode.commands.registerCommand(commands.mcpCopyConfiguration, async () =>
      (await feature()).copyConfiguration(),
    ),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (readMcpEnabled() ? (await feature()).definitions() : []),
    }),
    { dispose: () => void loading?.then((loaded) => loaded.dispose()) },
  );
}
