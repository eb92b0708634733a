import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { contentSecurityPolicy } from "./contentSecurityPolicy.ts";

export interface WebviewPage {
  /** Name of the bundle in dist/webview: its script and its style sheet. */
  readonly bundle: string;
  /** Read by screen readers. */
  readonly title: string;
  /** Values for the script, as `<meta>` by name; values must not contain quotes. */
  readonly meta?: Readonly<Record<string, string>>;
  /** True if the page plays audio. */
  readonly playsSound?: boolean;
}

/** The only folder from which our pages load files. */
export function webviewRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, "dist", "webview");
}

/**
 * Icon for the tab of a page. VS Code does not recolour it, not even in high contrast, so each kind of theme has its
 * own.
 */
export function tabIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const icon = (theme: string) => vscode.Uri.joinPath(extensionUri, "media", `tab-${theme}.svg`);
  return { light: icon("light"), dark: icon("dark") };
}

/** The HTML of a page for one of our bundles. */
export function webviewPage(webview: vscode.Webview, extensionUri: vscode.Uri, page: WebviewPage): string {
  const nonce = randomBytes(24).toString("base64");
  const root = webviewRoot(extensionUri);
  const uri = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(root, file)).toString();
  const meta = Object.entries(page.meta ?? {}).map(([name, content]) => {
    return `<meta name="${name}" content="${content.replaceAll('"', "%22")}">\n`;
  });
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(webview.cspSource, nonce, page.playsSound)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
${meta.join("")}<title>${page.title}</title>
<link rel="stylesheet" href="${uri(`${page.bundle}.css`)}">
</head>
<body>
<script type="module" nonce="${nonce}" src="${uri(`${page.bundle}.js`)}"></script>
</body>
</html>`;
}
