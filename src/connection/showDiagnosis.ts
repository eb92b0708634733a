import * as vscode from "vscode";
import { explain } from "../platform/errors/errorMessage.ts";
import { readNetworkSettings } from "../platform/settings.ts";
import { isLoopback } from "../session/connection/baseUrl.ts";
import type { Client } from "../session/session.ts";
import { walletText } from "../wallet/walletText.ts";
import type { ConnectionDeps } from "./deps.ts";
import { type DiagnosisStep, findClock, findConnection, findName, withoutCredentials } from "./diagnosis.ts";

/** Documents without a file, so that closing them asks for no save. */
const scheme = "inference-diagnosis";

export interface Diagnosis extends vscode.Disposable {
  /** Checks each step between VS Code and the service, and opens a report. It contains no secrets. */
  show(): Promise<void>;
}

export function createDiagnosis(deps: ConnectionDeps): Diagnosis {
  // An open editor keeps the content with which it was opened.
  const found: string[] = [];
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => found[Number(query)],
  });
  return {
    async show() {
      const query = String(found.push(await diagnosed(deps)) - 1);
      const uri = vscode.Uri.from({ scheme, path: "/Connection diagnosis.md", query });
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true });
    },
    dispose: () => provider.dispose(),
  };
}

function diagnosed(deps: ConnectionDeps): Thenable<string> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: "Diagnosing the connection", cancellable: true },
    (_, token) => {
      const cancel = new AbortController();
      token.onCancellationRequested(() => cancel.abort());
      return diagnose(deps, cancel.signal);
    },
  );
}

async function diagnose(deps: ConnectionDeps, signal: AbortSignal): Promise<string> {
  const head = [
    "# Connection diagnosis",
    "",
    `- Inference Workbench ${deps.extensionVersion}, ${vscode.env.appName} ${vscode.version}, Node ${process.versions.node}`,
    `- Extension host: ${vscode.env.remoteName ?? "local"}`,
    `- Taken ${new Date().toISOString()}`,
  ];
  const { active } = deps.session;
  if (!active)
    return [
      ...head,
      "",
      "No connection is set up. Run **Inference Connection: Sign In…** or **Inference Connection: Use the Sandbox**.",
      "",
    ].join("\n");
  try {
    const client = await deps.session.client({ kind: "connection" });
    const findings = await runChecks(client, signal);
    return [...head, ...facts(client), "", "## Steps", "", ...findings.map(line), ""].join("\n");
  } catch (error) {
    const { sentence } = explain(error, { service: active.name });
    return [
      ...head,
      `- Connection: ${active.name}`,
      "",
      line({ step: "Client", ok: false, text: sentence }),
      "",
    ].join("\n");
  }
}

function facts(client: Client): string[] {
  const network = readNetworkSettings();
  const fromEnv = ["HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"].filter(
    (name) => process.env[name],
  );
  return [
    `- Connection: ${client.connection.name} (${client.connection.kind})`,
    `- Address: ${client.root}`,
    `- Dialect: ${client.dialect.id}`,
    ...(client.connection.wallet ? [`- Wallet: ${walletText(client.connection.wallet)}`] : []),
    `- Transport: ${client.transport}`,
    `- \`http.proxy\`: ${withoutCredentials(network.proxy)}; \`http.proxySupport\`: ${network.proxySupport}; \`http.noProxy\`: ${network.noProxy.join(", ") || "none"}`,
    `- Proxy variables in the environment: ${fromEnv.join(", ") || "none"}`,
    `- \`http.systemCertificates\`: ${network.systemCertificates ? "on" : "off"}`,
  ];
}

/**
 * Every check runs even if an earlier one failed: behind a proxy the first two may fail although the connection works.
 */
async function runChecks(client: Client, signal: AbortSignal): Promise<DiagnosisStep[]> {
  const url = new URL(client.root);
  const direct = await Promise.all([findName(url), findConnection(url)]);
  let date: string | undefined;
  const calls = [
    await tryCall("Service answers (GET /models)", client, async () => {
      const { data } = await client.api.models.list({}, { signal });
      return `yes, with ${data.length} text models`;
    }),
    await tryCall("Key is accepted (GET /api_keys/rate_limits)", client, async () => {
      const limits = await client.api.account.rateLimits(
        {},
        {
          signal,
          observe: (event) => {
            if (event.type === "exchange") date = event.date ?? date;
          },
        },
      );
      const tier = limits.data.apiTier?.id;
      return tier ? `yes, tier ${tier}` : "yes";
    }),
  ];
  const found = findClock(date, Date.now());
  const steps = isLoopback(client.root)
    ? direct
    : direct.map((finding) => ({ ...finding, step: `${finding.step} (without a proxy)` }));
  return [...steps, ...calls, ...(found ? [found] : [])];
}

async function tryCall(step: string, client: Client, run: () => Promise<string>): Promise<DiagnosisStep> {
  const startMs = performance.now();
  try {
    const text = await run();
    return { step, ok: true, text: `${text}, ${Math.round(performance.now() - startMs)} ms` };
  } catch (error) {
    return { step, ok: false, text: explain(error, { service: client.connection.name }).sentence };
  }
}

function line({ step, ok, text }: DiagnosisStep): string {
  return `- ${ok ? "✓" : "✗"} **${step}**: ${text}`;
}
