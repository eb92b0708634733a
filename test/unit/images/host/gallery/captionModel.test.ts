// A model that takes pictures may suggest a caption, and its price is known before.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../../../../../src/api/endpoints/models.ts";
import {
  captionRequest,
  chooseCaptionModel,
  toCaption,
} from "../../../../../src/images/host/gallery/captionModel.ts";
import { exifSegment, jpegWith, quarters, tiff } from "../cameraFiles.ts";
import { movingGif } from "../modernFiles.ts";
import { studioOf } from "../studioOf.ts";

const model = (id: string, supportsVision: boolean, traits: string[] = []): Model => ({
  id,
  model_spec: {
    name: id.toUpperCase(),
    capabilities: { supportsVision },
    traits,
    pricing: { input: { usd: 1 }, output: { usd: 5 } },
  },
});

test("a model that takes pictures is chosen, with the highest price of one description", () => {
  const models = [model("plain", false, ["default"]), model("seer", true), model("eye", true, ["default"])];
  const chosen = chooseCaptionModel(models, { kind: "environment" });
  assert.equal(chosen?.name, "EYE");
  // 3,000 tokens of the question and 200 of the answer.
  assert.ok(Math.abs((chosen?.usd ?? 0) - (3_000 + 200 * 5) / 1_000_000) < 1e-12);
  assert.equal(chooseCaptionModel(models.slice(0, 1), { kind: "environment" }), undefined);
});

test("the picture is sent as what it is, and the answer becomes one line", () => {
  const { messages, max_completion_tokens } = captionRequest("eye", movingGif);
  const [, picture] = messages[0]?.content ?? [];
  assert.ok(picture && "image_url" in picture);
  assert.match(picture.image_url?.url ?? "", /^data:image\/gif;base64,R0lGOD/);
  assert.equal(max_completion_tokens, 200);
  assert.equal(toCaption(' "A red fox\nin the snow." '), "A red fox in the snow.");
  assert.equal(toCaption("a".repeat(900)).length, 300);
  assert.doesNotMatch(toCaption("A fox\u202e here"), /\u202e/u);
});

for (const dialect of ["standard", "venice"] as const)
  test(`the model of the service describes a photo, of which only the pixels are sent (${dialect})`, async (t) => {
    const { api, service } = await studioOf(t, { dialect });
    const { data } = await api.models.list({});
    const chosen = chooseCaptionModel(data, { kind: "environment" });
    assert.equal(chosen?.model.id, "viewer");
    assert.ok((chosen?.usd ?? 0) > 0);
    const exif = Buffer.concat([tiff(6), Buffer.from("Apple iPhone GPS 48.8583N")]);
    const photo = await jpegWith(quarters(400, 300), exifSegment(exif));
    const reply = await api.chat.complete(captionRequest("viewer", photo), { once: true });
    const caption = toCaption(String(reply.choices?.[0]?.message?.content));
    assert.match(caption, /^A JPEG picture of 300 × 400 pixels, mostly \w+, \w+ and \w+\.$/);
    const sent = service.requests.filter(({ path }) => path.endsWith("/chat/completions"));
    assert.equal(sent.length, 1);
    const body = JSON.parse(sent[0]?.bodyText ?? "");
    const { url } = body.messages[0].content[1].image_url;
    assert.match(url, /^data:image\/jpeg;base64,/);
    const received = Buffer.from(url.slice(url.indexOf(",") + 1), "base64").toString("latin1");
    assert.doesNotMatch(received, /iPhone|GPS/);
  });
