import * as vscode from "vscode";
import { Domain } from "../../../../platform/domain.ts";
import { afterActivation } from "../../../../platform/editor/afterActivation.ts";
import { Lazy } from "../../../../platform/lazy.ts";
import { readMcpEnabled } from "../../../../platform/settings.ts";
import { mcpProvider, settings } from "../../../../shared/names/ids.ts";
import type { McpDeps } from "./deps.ts";
import type { McpFeature } from "./mcpFeature.ts";

/** Offers the tools of the service to MCP clients. Nothing is loaded or opened before the setting is switched on. */
export function registerMcp(deps: McpDeps): Domain<McpFeature> {
  const changed = new vscode.EventEmitter<void>();
  const feature = new Lazy(async () => (await import("./mcpFeature.ts")).createMcpFeature(deps));
  const followSetting = async () => {
    if (readMcpEnabled()) await (await feature.get()).start();
    else await (await feature.started)?.stop();
    changed.fire();
  };
  return new Domain(
    feature,
    changed,
    afterActivation(
      async () => {
        if (readMcpEnabled()) await followSetting();
      },
      (error) => deps.log.error(String(error)),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(settings.toolsMcpEnabled)) void followSetting();
    }),
    vscode.lm.registerMcpServerDefinitionProvider(mcpProvider, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: async () => (readMcpEnabled() ? (await feature.get()).definitions() : []),
    }),
  );
}
