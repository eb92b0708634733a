import * as vscode from "vscode";
import { augmentation } from "../../api/money/price.ts";
import type { Lazy } from "../../platform/lazy.ts";
import { readSetting } from "../../platform/settings.ts";
import type { Session } from "../../session/session.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { commands, resultScheme, settings } from "../../shared/names/ids.ts";
import { urlProblem } from "../../shared/web/urlProblem.ts";
import { urlsForReaders } from "./findUrls.ts";

const mostLines = 5_000;
const mostLenses = 100;
const mostLineCharacters = 2_000;

/** Hovers and CodeLenses that read a URL, and the CodeLenses of failure reports. Only the latter load the feature. */
export function registerLinkActions(
  session: Pick<Session, "active">,
  feature: Lazy<FailureLenses>,
): vscode.Disposable {
  const linkAction = () => readSetting(settings.webLinkAction);
  return vscode.Disposable.from(
    vscode.languages.registerHoverProvider("*", {
      provideHover: (document, at) =>
        linkAction() === "hover" ? urlHover(document, at, session.active?.kind === "sandbox") : undefined,
    }),
    vscode.languages.registerCodeLensProvider("*", {
      async provideCodeLenses(document) {
        if (document.uri.scheme === resultScheme) return (await feature.get()).failureLenses(document);
        return linkAction() === "codeLens" ? urlLenses(document) : [];
      },
    }),
  );
}

interface FailureLenses {
  failureLenses(document: vscode.TextDocument): vscode.CodeLens[];
}

/** The hover of a URL, with a link that reads its page. Nothing is sent before the click. */
function urlHover(
  document: vscode.TextDocument,
  at: vscode.Position,
  isPlayMoney: boolean,
): vscode.Hover | undefined {
  const found = urlsAt(document, at.line).find(
    ({ start, end }) => start <= at.character && at.character < end,
  );
  if (!found || urlProblem(found.url)) return undefined;
  const text = new vscode.MarkdownString(hoverText(found.url, isPlayMoney));
  text.isTrusted = { enabledCommands: [commands.webScrape] };
  return new vscode.Hover(text, new vscode.Range(at.line, found.start, at.line, found.end));
}

/** A code lens above each line with URLs. */
function urlLenses(document: vscode.TextDocument): vscode.CodeLens[] {
  const lenses: vscode.CodeLens[] = [];
  const last = Math.min(document.lineCount, mostLines);
  for (let line = 0; line < last && lenses.length < mostLenses; line++) {
    const urls = [...new Set(urlsAt(document, line).map(({ url }) => url))].filter((url) => !urlProblem(url));
    if (urls.length === 0) continue;
    const title = urls.length === 1 ? "Read Page as Markdown" : `Read ${urls.length} Pages as Markdown`;
    const command = { command: commands.webScrape, title, arguments: [urls] };
    lenses.push(new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
  }
  return lenses;
}

function urlsAt(document: vscode.TextDocument, line: number) {
  const { text } = document.lineAt(line);
  return urlsForReaders(text.slice(0, mostLineCharacters), document.languageId);
}

/** The hover of a URL, as Markdown: one link that reads the page. The URL itself can't break out of the link. */
export function hoverText(url: string, isPlayMoney: boolean): string {
  // A parenthesis would end the link, and the rest would be read as Markdown.
  const target = encodeURIComponent(JSON.stringify([[url]]))
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
  return `[Read this page as markdown](command:${commands.webScrape}?${target}) (${formatUsd(augmentation.usd, isPlayMoney)})`;
}
