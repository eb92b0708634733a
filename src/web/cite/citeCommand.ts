import * as vscode from "vscode";
import { insertAfter, offsetsBehind } from "../../platform/editor/changeDocument.ts";
import type { InsertTarget } from "../../platform/editor/lastEditor.ts";
import { withoutLinks } from "../../shared/text/html/withoutLinks.ts";
import { oneLine } from "../../shared/text/lineFeeds.ts";
import { shortened } from "../../shared/text/shortened.ts";
import type { ResultStore } from "../results/resultStore.ts";
import { hitOf, type ResultNode } from "../results/resultTree.ts";
import type { SearchHit } from "../results/storedResult.ts";
import { addEntries, type Bibliography, findBibliography } from "./bibliography.ts";
import { type Citable, statedFacts } from "./citable.ts";
import {
  type CiteStyle,
  type CiteSyntax,
  type Citing,
  cite,
  notesBelow,
  stylesOf,
  syntaxOf,
} from "./cite.ts";
import { besideParagraph, withFootnotes } from "./citeAnswer.ts";

const stylesKey = "web.citeStyles";

const labels: Readonly<Record<CiteStyle, string>> = {
  link: "Link",
  citation: "Link with Site and Dates",
  footnote: "Footnote",
  reference: "Reference",
  bibtex: "BibTeX",
};

/** Cites sources in a document, or for the clipboard, in the way that the user chooses. The last choice of each language is first. */
export async function citeSources(
  sources: readonly Citable[],
  memory: Pick<vscode.Memento, "get" | "update">,
  target: InsertTarget | undefined,
): Promise<void> {
  if (sources.length === 0) return;
  const { document, selections = [] } = target ?? {};
  const languageId = document?.languageId ?? "markdown";
  const syntax = syntaxOf(languageId);
  const bibliography = document && syntax !== "bibtex" ? await findBibliography(document) : undefined;
  const citeBy = (style: CiteStyle) =>
    cite(sources, style, {
      text: document?.getText() ?? "",
      languageId,
      bibliography: bibliography?.text ?? "",
    });
  const style = await chooseStyle(syntax, memory, citeBy);
  if (style === undefined) return;
  const citing = citeBy(style);
  const isInserted = document !== undefined && (await insertCiting(document, selections, citing));
  await finish(citing, { isInserted, bibliography, hasEditor: document !== undefined });
}

/** The pages of rows, with what they state of their authors and date. Searches and documents are no sources. */
export async function citablesOf(
  nodes: readonly ResultNode[],
  store: Pick<ResultStore, "text" | "pagesOf">,
): Promise<readonly Citable[]> {
  const all = await Promise.all(nodes.map((node) => citableOf(node, store)));
  return all.filter((source) => source !== undefined);
}

async function citableOf(
  node: ResultNode,
  store: Pick<ResultStore, "text" | "pagesOf">,
): Promise<Citable | undefined> {
  const { result } = node;
  const hit = node.type === "hit" ? hitOf(node) : undefined;
  if (hit) return { ...hit, ...(await factsOfHit(hit, store)), atMs: result.atMs };
  if (node.type === "hit" || result.kind !== "page") return undefined;
  const { title, url, atMs } = result;
  return { ...statedFacts((await store.text(result.id)) ?? ""), title, url, atMs };
}

/** What a stored page of a hit states; the date of the search comes first. */
async function factsOfHit(
  { url, date }: SearchHit,
  store: Pick<ResultStore, "text" | "pagesOf">,
): Promise<Pick<Citable, "authors" | "date">> {
  const [page] = url === "" ? [] : (await store.pagesOf([url])).earlier;
  const facts = page ? statedFacts((await store.text(page.id)) ?? "") : {};
  return date === "" ? facts : { ...facts, date };
}

async function chooseStyle(
  syntax: CiteSyntax,
  memory: Pick<vscode.Memento, "get" | "update">,
  citeBy: (style: CiteStyle) => Citing,
): Promise<CiteStyle | undefined> {
  const remembered = memory.get<Partial<Record<CiteSyntax, CiteStyle>>>(stylesKey, {});
  const usual = stylesOf[syntax];
  const last = usual.find((style) => style === remembered[syntax]);
  const ordered = last === undefined ? usual : [last, ...usual.filter((style) => style !== last)];
  const [only] = ordered;
  if (ordered.length === 1) return only;
  const rows = ordered.map((style) => ({
    label: labels[style],
    ...(style === last ? { description: "last used" } : {}),
    detail: previewOf(citeBy(style)),
    style,
  }));
  const options = { title: "Cite As", placeHolder: "How to cite it in this file" };
  const chosen = await vscode.window.showQuickPick(rows, options);
  if (chosen && chosen.style !== last)
    await memory.update(stylesKey, { ...remembered, [syntax]: chosen.style });
  return chosen?.style;
}

const longestPreview = 120;

/** What stands in the text, and the beginning of what is added below it or to the bibliography. */
function previewOf({ mark, notes, entries = "" }: Citing): string {
  const more = oneLine(notes?.text ?? entries);
  return shortened([oneLine(mark), more].filter(Boolean).join("   "), longestPreview);
}

function insertCiting(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
  citing: Citing,
): Promise<boolean> {
  const { mark, isClose } = citing;
  const notes = notesBelow(citing, offsetsBehind(document, selections, isClose));
  const at = notes && document.positionAt(notes.at);
  const also =
    notes && at ? [{ range: new vscode.Range(at, at), text: notes.text, isAside: true as const }] : [];
  if (mark === "") return Promise.resolve(false);
  return insertAfter(document, selections, mark, { isClose, also });
}

/**
 * Inserts an answer in Markdown with footnotes for its sources, or copies it. One of several blocks goes behind the
 * paragraph at the cursor.
 */
export async function insertAnswer(
  answer: string,
  sources: readonly Citable[],
  target: InsertTarget | undefined,
): Promise<void> {
  const { document, selections = [] } = target ?? {};
  const citing = withFootnotes(answer, sources, document?.getText() ?? "");
  const isInserted = document !== undefined && (await insertAnswerAt(document, selections, citing));
  await finish(citing, { isInserted, bibliography: undefined, hasEditor: document !== undefined });
}

function insertAnswerAt(
  document: vscode.TextDocument,
  selections: readonly vscode.Selection[],
  citing: Citing,
): Promise<boolean> {
  const last = selections.at(-1);
  const place = last && besideParagraph(citing.mark, document.getText(), document.offsetAt(last.end));
  if (!place) return insertCiting(document, selections, citing);
  const at = document.positionAt(place.at);
  return insertCiting(document, [new vscode.Selection(at, at)], { ...citing, mark: place.text });
}

interface Outcome {
  readonly isInserted: boolean;
  readonly bibliography: Bibliography | undefined;
  readonly hasEditor: boolean;
}

/** Adds entries to the bibliography, copies what found no other place, and says which. */
async function finish({ mark, notes, keys = [], entries = "" }: Citing, outcome: Outcome): Promise<void> {
  const { isInserted, bibliography, hasEditor } = outcome;
  if (entries !== "" && bibliography && isInserted && (await addEntries(bibliography, entries)))
    return say(`The entry was added to ${vscode.workspace.asRelativePath(bibliography.uri)}.`);
  const copied = isInserted ? entries : [mark, notes?.text ?? "", entries].filter(Boolean).join("\n\n");
  const isKnown = copied === "" && !isInserted && keys.length > 0;
  if (isKnown) say(`The file has this source already, as ${keys.join(", ")}.`);
  if (copied === "") return;
  await vscode.env.clipboard.writeText(copied);
  const isEntry = entries !== "";
  if (isInserted || isEntry) return say("The BibTeX entry was copied to the clipboard.");
  const reason = hasEditor ? "The editor can't be changed." : "No text editor is open.";
  say(`${reason} The citation was copied to the clipboard.`);
}

function say(sentence: string): void {
  void vscode.window.showInformationMessage(withoutLinks(sentence));
}
