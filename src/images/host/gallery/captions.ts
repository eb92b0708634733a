import * as vscode from "vscode";
import { isCancelled } from "../../../api/errors/errors.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Consents } from "../../../session/consent/consents.ts";
import type { Client, Session } from "../../../session/session.ts";
import { confirmPrice } from "../../../session/spend/confirmPrice.ts";
import { formatBytes } from "../../../shared/chat/chatAttachments.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { type CaptionModel, captionRequest, chooseCaptionModel, toCaption } from "./captionModel.ts";

export interface CaptionDeps {
  readonly session: Session;
  readonly consents: Consents;
}

/** Bytes of a picture that is sent to be described. */
const mostBytes = 8 * 1024 * 1024;

/**
 * Asks for the caption of a picture. A button has a model describe it, for a price that is shown before. Undefined if
 * the user leaves.
 */
export async function askCaption(
  deps: CaptionDeps,
  data: Uint8Array,
  value: string,
): Promise<string | undefined> {
  const box = vscode.window.createInputBox();
  box.title = "Caption of the Picture";
  box.prompt = "What the picture shows, for readers who can't see it. Leave it empty if it only decorates.";
  box.placeholder = "A red fox in the snow";
  box.value = value;
  box.ignoreFocusOut = true;
  const ending = new AbortController();
  void offerSuggestion(deps, box, data, ending.signal);
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  box.onDidAccept(() => resolve(box.value.trim()));
  box.onDidHide(() => resolve(undefined));
  box.show();
  return promise.finally(() => {
    ending.abort();
    box.dispose();
  });
}

/** Adds the button, if the service has a model for it. */
async function offerSuggestion(
  deps: CaptionDeps,
  box: vscode.InputBox,
  data: Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  const found = await captionModel(deps.session, signal).catch(() => undefined);
  if (!found || signal.aborted) return;
  const { client, chosen } = found;
  const isFree = client.connection.kind === "sandbox";
  const price = chosen.usd === undefined ? "no listed price" : `at most ${formatUsd(chosen.usd, isFree)}`;
  box.buttons = [
    { iconPath: new vscode.ThemeIcon("eye"), tooltip: `Have ${chosen.name} describe it (${price})` },
  ];
  box.onDidTriggerButton(async () => {
    if (box.busy) return;
    if (data.byteLength > mostBytes) {
      box.validationMessage = `A picture of ${formatBytes(data.byteLength)} is too large to be described.`;
      return;
    }
    const asked = box.value.trim();
    box.busy = true;
    box.validationMessage = undefined;
    try {
      const words = await described(deps, client, chosen, data, signal);
      if (words !== undefined && !signal.aborted) box.value = suggested(box.value.trim(), asked, words);
    } catch (error) {
      if (!isCancelled(error))
        box.validationMessage = explain(error, { service: client.connection.name }).sentence;
    } finally {
      box.busy = false;
    }
  });
}

/** What was typed since the model was asked stays. */
function suggested(now: string, asked: string, words: string): string {
  return now === asked || now === "" ? words : `${now} ${words}`;
}

async function captionModel(
  session: Session,
  signal: AbortSignal,
): Promise<{ readonly client: Client; readonly chosen: CaptionModel } | undefined> {
  if (!session.active) return undefined;
  const client = await session.client({ kind: "studio" });
  const { data } = await client.api.models.list({}, { signal });
  const chosen = chooseCaptionModel(data, client.connection);
  return chosen && { client, chosen };
}

/** Undefined if the price was refused. */
async function described(
  deps: CaptionDeps,
  { api }: Client,
  { model, name, usd }: CaptionModel,
  data: Uint8Array,
  signal: AbortSignal,
): Promise<string | undefined> {
  const detail = `The picture is sent to ${name}.`;
  const action = "image.describe";
  const words = { title: "Describe this picture", button: "Describe", isUpper: true, detail };
  if (!(await confirmPrice(deps, { action, usd, ...words }))) return undefined;
  const reply = await api.chat.complete(captionRequest(model.id, data), { signal, once: true });
  const text = reply.choices?.[0]?.message?.content;
  return typeof text === "string" ? toCaption(text) : undefined;
}
