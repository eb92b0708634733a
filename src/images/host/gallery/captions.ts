import * as vscode from "vscode";
import type { Model } from "../../../api/endpoints/models.ts";
import { isCancelled } from "../../../api/errors/errors.ts";
import { chatAmount } from "../../../api/money/estimate.ts";
import { explain } from "../../../platform/errors/errorMessage.ts";
import type { Consents } from "../../../session/consent/consents.ts";
import { defaultModelId, toModelCards } from "../../../session/modelCards.ts";
import type { Client, Session } from "../../../session/session.ts";
import { confirmPrice } from "../../../session/spend/confirmPrice.ts";
import { formatBytes } from "../../../shared/chat/chatAttachments.ts";
import { imageFormatOf } from "../../../shared/images/imageFormats.ts";
import { formatUsd } from "../../../shared/money/formatUsd.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";

export interface CaptionDeps {
  readonly session: Session;
  readonly consents: Consents;
}

/** Tokens that a picture and the question may have; services count pictures in different ways. */
const promptTokens = [300, 3_000] as const;
const mostAnswerTokens = 200;
/** Bytes of a picture that is sent to be described. */
const mostBytes = 8 * 1024 * 1024;
const longestCaption = 300;

const question =
  "Describe what this picture shows, as the alternative text of a web page: one sentence of at most 25 words, in plain words. Begin with the subject. Answer with the sentence alone.";

/** A model that takes pictures, and the highest price of one description in USD. */
interface CaptionModel {
  readonly model: Model;
  readonly name: string;
  readonly usd: number | undefined;
}

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
    box.busy = true;
    box.validationMessage = undefined;
    try {
      const words = await described(deps, client, chosen, data, signal);
      if (words !== undefined && !signal.aborted) box.value = words;
    } catch (error) {
      if (!isCancelled(error))
        box.validationMessage = explain(error, { service: client.connection.name }).sentence;
    } finally {
      box.busy = false;
    }
  });
}

async function captionModel(
  session: Session,
  signal: AbortSignal,
): Promise<{ readonly client: Client; readonly chosen: CaptionModel } | undefined> {
  if (!session.active) return undefined;
  const client = await session.client({ kind: "studio" });
  const { data } = await client.api.models.list({}, { signal });
  const able = data.filter(({ model_spec: spec }) => spec?.capabilities?.supportsVision === true);
  const id = defaultModelId(toModelCards(able, client.connection));
  const model = able.find((each) => each.id === id);
  if (!model) return undefined;
  const amount = chatAmount(model, { prompt: promptTokens, cached: 0, completion: [0, mostAnswerTokens] });
  return { client, chosen: { model, name: model.model_spec?.name || model.id, usd: amount.usd?.[1] } };
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
  if (
    !(await confirmPrice(deps, { action, title: "Describe this picture", button: "Describe", usd, detail }))
  )
    return undefined;
  const url = `data:${imageFormatOf(data)?.mediaType ?? "image/png"};base64,${Buffer.from(data).toString("base64")}`;
  const reply = await api.chat.complete(
    {
      model: model.id,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: question },
            { type: "image_url", image_url: { url } },
          ],
        },
      ],
      max_completion_tokens: mostAnswerTokens,
      service_parameters: { include_venice_system_prompt: false },
    },
    { signal, once: true },
  );
  const text = reply.choices?.[0]?.message?.content;
  return typeof text === "string" ? toCaption(text) : undefined;
}

/** One line without quote marks around it. */
function toCaption(answer: string): string {
  const line = visibleLine(answer.replace(/\s+/g, " ").trim()).replace(/^["“'](.*)["”']$/, "$1");
  return line.slice(0, longestCaption);
}
