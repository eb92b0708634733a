import assert from "node:assert/strict";
import { type BinaryReply, toBytes } from "../../../../src/api/binary.ts";
import type { DialectId } from "../../../../src/api/dialect/dialect.ts";
import { listen } from "../../../loopback/server.ts";
import { type CallCase, failureOf, type RowSuite, type Rule, type World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { fieldsNamed, send } from "../../suite/wire.ts";
import { tooLarge } from "../tooLarge.ts";
import { imageSummary } from "./imageSummary.ts";
import { noPicture, png, smallest, tooBig, tooSmall, upload } from "./pictures.ts";

const base64 = png(256, 256).toString("base64");
const dataUrl = `data:image/png;base64,${base64}`;
const times = (count: number) => Array.from({ length: count }, () => base64);
const flag: Rule = { good: [true, false], bad: ["yes", 2] };

async function got(reply: Promise<BinaryReply>) {
  const { contentType, safety, ...rest } = await reply;
  const bytes = await toBytes({ contentType, safety, ...rest });
  assert.equal(rest.contentLength, bytes.byteLength);
  assert.equal(contentType, `image/${imageSummary(bytes).split(" ")[0]}`);
  return { picture: imageSummary(bytes), safety, bytes };
}

/** Rules of single and multiple edits (spec E5, E13; for venice wire.md section 11). */
const editRules = (dialect: DialectId) => ({
  prompt: { good: ["x", "x".repeat(32_768)], bad: ["", "x".repeat(32_769)] },
  aspect_ratio: {
    good: ["auto", "1:1", "3:2", "16:9", "21:9", "9:16", "2:3", "3:4", "4:5"],
    // For models that list it; these do not, and no edit on venice accepts it.
    ...(dialect === "venice" ? { bad: ["5:1", "16x9", "4:3"] } : { bad: ["5:1", "16x9"], unfit: ["4:3"] }),
  },
  output_format:
    dialect === "venice"
      ? { good: ["jpeg", "png", "webp"], bad: ["gif", "PNG", "jpg"] }
      : { good: ["jpeg", "jpg", "png", "webp"], bad: ["gif", "PNG"] },
  safe_mode: flag,
  enhance_prompt: dialect === "venice" ? flag : { good: [], bad: [true, false] },
});

const editSample = { image: smallest, prompt: "warm" };

/** POST /image/edit (spec E13). */
export const edit: RowSuite = {
  costly: true,
  sample: editSample,
  rules: (dialect) => ({
    ...editRules(dialect),
    image: {
      good: [smallest, base64, dataUrl],
      bad: [tooSmall, tooBig, noPicture, "", "no base64!", "ftp://host/picture.png", 7],
    },
    resolution: { good: ["1K"], bad: ["", "x".repeat(11)], unfit: ["9K"] },
    model: { good: ["retouch", "retouch-layers"], bad: [""] },
    modelId: { good: ["retouch"], bad: [""], unfit: ["no-such-model"] },
    // Venice refuses unknown members of a single edit (wire.md section 2).
    quality:
      dialect === "venice"
        ? { good: [], bad: ["low", "high"] }
        : { good: ["low", "medium", "high"], bad: ["ultra"] },
  }),
  everywhere: [],
  sandboxed: [
    {
      name: "accepts a file, base64 text, a data URL and the URL of an image",
      async run({ api }) {
        const server = await listen((_, response) => {
          response.writeHead(200, { "content-type": "image/png" }).end(png(256, 256));
        });
        try {
          for (const image of [smallest, base64, dataUrl, `${server.origin}/picture.png`]) {
            const { picture } = await got(api.images.edit({ ...editSample, image }));
            assert.equal(picture, "png 1024x1024");
          }
        } finally {
          await server.close();
        }
      },
    },
    {
      name: "keeps the aspect ratio unless one is given, which is then exact",
      async run({ api }) {
        const image = upload(png(600, 300));
        const sizeOf = async (more: object) =>
          (await got(api.images.edit({ ...editSample, image, ...more }))).picture.split(" ")[1];
        assert.equal(await sizeOf({}), "1448x724");
        assert.equal(await sizeOf({ aspect_ratio: "auto" }), "1448x724");
        const [width = 0, height = 0] = (await sizeOf({ aspect_ratio: "3:4" }))?.split("x").map(Number) ?? [];
        assert.equal(width * 4, height * 3);
      },
    },
    {
      name: "returns the requested format; else JPEG from 2K on, PNG below",
      async run({ api }) {
        const typeOf = async (more: object) =>
          (await got(api.images.edit({ ...editSample, model: "retouch-layers", ...more }))).picture.split(
            " ",
          )[0];
        assert.equal(await typeOf({}), "png");
        assert.equal(await typeOf({ resolution: "2K" }), "jpeg");
        for (const [output_format, type] of [
          ["jpeg", "jpeg"],
          ["png", "png"],
          ["webp", "webp"],
        ] as const) {
          assert.equal(await typeOf({ output_format }), type);
        }
      },
    },
    ...safety((world, prompt, safe_mode) =>
      world.api.images.edit({ ...editSample, prompt, ...(safe_mode === undefined ? {} : { safe_mode }) }),
    ),
    {
      name: "refuses an unlisted model, under either name",
      async run({ api, target }) {
        const error = await failureOf(api.images.edit({ ...editSample, model: "no-such-model" }));
        assert.equal(error.kind, "not-found");
        await target.settle();
        const alias = await failureOf(api.images.edit({ ...editSample, modelId: "no-such-model" }));
        assert.deepEqual([alias.kind, alias.details.issues?.[0]?.field], ["invalid-request", "modelId"]);
      },
    },
    {
      name: "prefers model to its deprecated alias",
      async run({ target }) {
        const reply = await send(target, {
          path: "/image/edit",
          body: {
            image: base64,
            prompt: "warm",
            model: "retouch",
            modelId: "retouch-layers",
            resolution: "2K",
          },
        });
        assert.deepEqual(fieldsNamed(reply.json), ["resolution"], "retouch has no 2K");
      },
    },
    tooLarge("/image/edit", "image", (world, image) => world.api.images.edit({ ...editSample, image })),
  ],
};

/** POST /image/multi-edit (spec E5). */
export const multiEdit: RowSuite = {
  costly: true,
  sample: { images: [smallest], prompt: "warm" },
  rules: (dialect) => ({
    ...editRules(dialect),
    images: {
      ...(dialect === "venice"
        ? { good: [[smallest], [dataUrl, smallest, ...times(4)]], unfit: [times(7)] }
        : { good: [[smallest], [base64, dataUrl, smallest]] }),
      bad: [
        ...[[], ["no base64!"], [smallest, tooSmall], [tooBig], "x", [7]],
        ...(dialect === "venice" ? [] : [times(4)]),
      ],
    },
    modelId: { good: ["retouch", "retouch-layers"], bad: [""], unfit: ["no-such-model"] },
    resolution: { good: ["1K", "2K"], bad: ["", "x".repeat(11)], unfit: ["9K"] },
    quality: { good: ["low", "medium", "high"], bad: ["ultra"] },
  }),
  everywhere: [],
  sandboxed: [
    {
      name: "uses the closest supported ratio of the first image",
      async run({ api }) {
        const sizeOf = async (...images: Buffer[]) => {
          const reply = api.images.multiEdit({ prompt: "warm", images: images.map((one) => upload(one)) });
          const [width = 0, height = 1] =
            (await got(reply)).picture.split(" ")[1]?.split("x").map(Number) ?? [];
          return (width / height).toFixed(3);
        };
        assert.equal(await sizeOf(png(640, 360)), (16 / 9).toFixed(3));
        assert.equal(await sizeOf(png(620, 400), png(256, 256)), (3 / 2).toFixed(3));
      },
    },
    {
      name: "lays the other images over the first",
      async run({ api }) {
        const of = async (...greys: number[]) => {
          const images = greys.map((grey) => upload(png(256, 256, grey)));
          const { bytes } = await got(api.images.multiEdit({ prompt: "warm", images, output_format: "png" }));
          return Buffer.from(bytes).toString("base64");
        };
        const [one, two, three] = [await of(100), await of(100, 160), await of(100, 160, 190)];
        assert.equal(new Set([one, two, three]).size, 3);
      },
    },
    {
      name: "accepts modelId, but not model",
      async run({ target }) {
        const body = { images: [base64], prompt: "warm", model: "retouch" };
        const reply = await send(target, { path: "/image/multi-edit", body });
        assert.equal(reply.status, 400);
        assert.deepEqual(fieldsNamed(reply.json), ["model"]);
      },
    },
    {
      name: "accepts at most the model's number of images",
      async run({ api }) {
        const call = api.images.multiEdit({
          prompt: "warm",
          images: [smallest, smallest],
          modelId: "retouch",
        });
        const { kind, details } = await failureOf(call);
        assert.deepEqual([kind, details.issues?.[0]?.field], ["invalid-request", "images"]);
      },
    },
    ...safety((world, prompt, safe_mode) =>
      world.api.images.multiEdit({
        images: [smallest],
        prompt,
        ...(safe_mode === undefined ? {} : { safe_mode }),
      }),
    ),
  ],
};

/** spec E5 and E13, safe_mode; wire.md section 7. */
function safety(
  call: (world: World, prompt: string, safeMode?: boolean) => Promise<BinaryReply>,
): CallCase<SandboxTarget>[] {
  return [
    {
      name: "blurs adult content by default and refuses forbidden content",
      async run(world) {
        const blurred = async (prompt: string, safeMode?: boolean) =>
          (await got(call(world, prompt, safeMode))).safety.blurred;
        assert.equal(await blurred("make it warm"), false);
        assert.equal(await blurred("make it nude"), true);
        assert.equal(await blurred("make it nude", true), true);
        assert.equal(await blurred("make it nude", false), false);
        const { kind, details } = await failureOf(call(world, "a content-violation"));
        assert.equal(kind, "refused-content");
        assert.ok(details.suggestedPrompt);
      },
    },
  ];
}
