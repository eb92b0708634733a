import * as vscode from "vscode";
import { pickLines, plainLine } from "../../../../platform/editor/dialogs/pickLines.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import type { QuestionAnswer, ServerQuestion } from "../connection/serverConnection.ts";
import { askForm, type FormQuestion, type FormValue, questionsOf } from "./elicitationForm.ts";

/** Asks the user what a server wants to know, one question at a time. It ends with the signal, and asks for no secret. */
export class UserQuestions {
  readonly #queue = new SerialQueue();

  ask(server: string, question: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.#queue.run(async () => {
      if (signal.aborted) return { action: "cancel" };
      const source = new vscode.CancellationTokenSource();
      const cancel = () => source.cancel();
      signal.addEventListener("abort", cancel, { once: true });
      try {
        return await (question.kind === "url"
          ? askUrl(server, question, source.token)
          : askFields(server, question, source.token));
      } finally {
        signal.removeEventListener("abort", cancel);
        source.dispose();
      }
    });
  }
}

async function askUrl(
  server: string,
  { url, message }: Extract<ServerQuestion, { kind: "url" }>,
  token: vscode.CancellationToken,
): Promise<QuestionAnswer> {
  // A page of another kind could run a program.
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return declined(server, "its address is no web page");
  const { href, host } = new URL(url);
  const action = await choose(
    server,
    `Open the page in the browser? It is on ${host}.`,
    [message, href],
    token,
  );
  if (action === "accept") await vscode.env.openExternal(vscode.Uri.parse(href));
  return { action };
}

async function askFields(
  server: string,
  { schema, message }: Extract<ServerQuestion, { kind: "form" }>,
  token: vscode.CancellationToken,
): Promise<QuestionAnswer> {
  const questions = questionsOf(schema, message);
  if (typeof questions === "string") return declined(server, questions);
  const fields = questions.map(
    ({ title, description }) => `${title}${description === "" ? "" : `: ${description}`}`,
  );
  const action = await choose(
    server,
    "Answer it? The server gets what you type.",
    [message, ...fields],
    token,
  );
  if (action !== "accept") return { action };
  const content = await askForm(questions, (question) => askQuestion(server, question, token));
  return content ? { action, content } : { action: "cancel" };
}

function declined(server: string, why: string): QuestionAnswer {
  void vscode.window.showWarningMessage(
    plainLine(`A question of the MCP server ${server} was declined: ${why}.`),
  );
  return { action: "decline" };
}

/** The first item is the default, which a stray Enter chooses. */
async function choose(
  server: string,
  placeHolder: string,
  lines: readonly string[],
  token: vscode.CancellationToken,
): Promise<"accept" | "decline" | "cancel"> {
  const decline = { label: "$(close) Decline", description: "The server gets no answer" };
  const accept = { label: "$(check) Continue" };
  const items: vscode.QuickPickItem[] = [
    decline,
    accept,
    { label: "", kind: vscode.QuickPickItemKind.Separator },
    ...pickLines(lines).map((line) => ({ label: line, alwaysShow: true })),
  ];
  const title = plainLine(`The MCP server ${server} asks`);
  const options = { title, placeHolder, ignoreFocusOut: true };
  const chosen = await vscode.window.showQuickPick(items, options, token);
  if (chosen === accept) return "accept";
  return chosen === undefined ? "cancel" : "decline";
}

/** Undefined: the user ends the form. `null`: left empty. */
async function askQuestion(
  server: string,
  { title: name, description, isRequired, field }: FormQuestion,
  token: vscode.CancellationToken,
): Promise<FormValue | null | undefined> {
  const title = plainLine(`The MCP server ${server} asks: ${name}`);
  const prompt = plainLine(description || (isRequired ? "Required" : "May be left empty"));
  if (field.kind === "text") {
    const validateInput = (text: string) => {
      const { value, problem } = field.read(text);
      return problem ?? (isRequired && value === undefined ? "Required" : undefined);
    };
    const options = { title, prompt, value: field.default, ignoreFocusOut: true, validateInput };
    const text = await vscode.window.showInputBox(options, token);
    return text === undefined ? undefined : (field.read(text).value ?? null);
  }
  const options = { title, placeHolder: prompt, ignoreFocusOut: true };
  if (field.kind === "choices") {
    const items = field.choices.map((one) => ({ ...one, picked: field.default.includes(one.value) }));
    const chosen = await vscode.window.showQuickPick(items, { ...options, canPickMany: true }, token);
    return chosen?.map(({ value }) => value);
  }
  const items: readonly ValueItem[] =
    field.kind === "switch" ? switchItems(field.default) : choiceItems(field, isRequired);
  return (await vscode.window.showQuickPick(items, options, token))?.value;
}

interface ValueItem extends vscode.QuickPickItem {
  readonly value: FormValue | null;
}

/** The default stands first, where Enter takes it. */
function switchItems(isOn: boolean) {
  const items = [
    { label: "Yes", value: true },
    { label: "No", value: false },
  ];
  return isOn ? items : items.reverse();
}

function choiceItems(
  { choices, default: first }: Extract<FormQuestion["field"], { kind: "choice" }>,
  isRequired: boolean,
) {
  const sorted = [...choices].sort((a, b) => Number(b.value === first) - Number(a.value === first));
  return [...sorted, ...(isRequired ? [] : [{ label: "Leave Empty", value: null }])];
}
