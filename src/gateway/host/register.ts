import * as vscode from "vscode";
import { Domain } from "../../platform/domain.ts";
import { afterActivation } from "../../platform/editor/afterActivation.ts";
import { Lazy } from "../../platform/lazy.ts";
import { readGatewayEnabled } from "../../platform/settings.ts";
import type { GatewayHostDeps } from "./deps.ts";
import type { GatewayFeature } from "./gatewayFeature.ts";

/** Offers the service to other agents on this machine. Nothing is loaded or opened before the setting is switched on. */
export function registerGateway(deps: GatewayHostDeps): Domain<GatewayFeature> {
  const feature = new Lazy(async () => (await import("./gatewayFeature.ts")).createGatewayFeature(deps));
  const follow = async () => {
    if (readGatewayEnabled()) await (await feature.get()).follow();
    else await (await feature.started)?.follow();
  };
  return new Domain(
    feature,
    afterActivation(follow, (error) => deps.log.error(String(error))),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("inference.gateway")) void follow();
    }),
  );
}
