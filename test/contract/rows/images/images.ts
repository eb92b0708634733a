import assert from "node:assert/strict";
import type { RowSuite, World } from "../../suite/suite.ts";
import { send } from "../../suite/wire.ts";
import { imageSummary } from "./imageSummary.ts";

async function generateImage({ api }: World, more: object = {}) {
  const { data, created } = await api.images.generate({ ...generateSample, ...more });
  const [{ b64_json, url } = assert.fail("no picture")] = data;
  const text = b64_json ?? url?.replace(/^data:image\/\w+;base64,/, "") ?? "";
  return { created, b64_json, url, picture: imageSummary(Buffer.from(text, "base64")) };
}

const generateSample = { prompt: "a small sea", size: "256x256" } as const;

/** POST /images/generations (spec E11). */
export const generate: RowSuite = {
  costly: true,
  sample: generateSample,
  rules: {
    prompt: { good: ["a", "x".repeat(1500)], bad: ["", "x".repeat(1501), 7] },
    // An unknown name falls back to the default model.
    model: { good: ["canvas", "default", "no-such-model"], bad: [7] },
    n: { good: [1], bad: [0, 2, 1.5, "1"] },
    size: { good: ["auto", "256x256", "1792x1024"], bad: ["100x100", "256", 256] },
    output_format: { good: ["jpeg", "png", "webp"], bad: ["jpg", "gif"] },
    response_format: { good: ["b64_json", "url"], bad: ["binary", true] },
    moderation: { good: ["auto", "low"], bad: ["off"] },
    background: { good: ["transparent", "opaque", "auto"], bad: ["white"] },
    output_compression: { good: [0, 100], bad: [-1, 101, 1.5] },
    quality: { good: ["auto", "high", "medium", "low", "hd", "standard"], bad: ["best"] },
    style: { good: ["vivid", "natural"], bad: ["cubist"] },
    user: { good: ["ann"], bad: [7] },
  },
  reply: {
    nullable: ["data.0.b64_json"],
    required: ["created", "data"],
    tolerant: ["data"],
  },
  everywhere: [],
  sandboxed: [
    {
      name: "draws an image of the given size and format",
      async run(world) {
        for (const size of ["256x256", "512x512", "1024x1024", "1536x1024", "1024x1536", "1024x1792"]) {
          assert.equal((await generateImage(world, { size })).picture, `png ${size}`);
        }
        assert.equal((await generateImage(world, { output_format: "jpeg" })).picture, "jpeg 256x256");
        assert.equal((await generateImage(world, { output_format: "webp" })).picture, "webp 256x256");
        assert.equal((await generateImage(world, { size: "auto" })).picture, "png 1024x1024");
      },
    },
    {
      name: "returns base64, or a data URL on request",
      async run(world) {
        const { b64_json, url, created } = await generateImage(world);
        assert.ok(b64_json && !url);
        assert.ok(Number.isInteger(created) && Math.abs(created * 1000 - world.target.now()) < 60_000);
        const linked = await generateImage(world, { response_format: "url", output_format: "webp" });
        assert.ok(!linked.b64_json && linked.url?.startsWith("data:image/webp;base64,"));
      },
    },
    {
      name: "is compressed as the caller's Accept-Encoding allows",
      async run({ target }) {
        for (const [accepted, encoding] of [
          ["gzip, br", "br"],
          ["gzip", "gzip"],
          ["gzip;q=0, br;q=0", null],
          ["identity", null],
        ] as const) {
          const reply = await send(target, {
            path: "/images/generations",
            body: generateSample,
            headers: { "accept-encoding": accepted },
          });
          assert.equal(reply.headers.get("content-encoding"), encoding, accepted);
          const { data } = reply.json as { data: readonly { b64_json: string }[] };
          assert.ok(imageSummary(Buffer.from(data[0]?.b64_json ?? "", "base64")));
        }
      },
    },
    {
      name: "falls back to the default model for an unknown name, at that model's price and limit",
      async run(world) {
        const remaining = async (model: string) => {
          const reply = await send(world.target, {
            path: "/images/generations",
            body: { ...generateSample, model },
          });
          return Number(reply.headers.get("x-ratelimit-remaining-requests"));
        };
        const before = await remaining("canvas");
        assert.equal(await remaining("no-such-model"), before - 1);
        const { headers } = await send(world.target, { path: "/images/generations", body: generateSample });
        assert.equal(headers.get("x-ratelimit-limit-requests"), "20");
      },
    },
    {
      name: "reports blurred and blank images",
      async run({ target }) {
        const prefix = target.dialect.id === "venice" ? "x-venice-" : "x-service-";
        const flagsOf = async (body: object) => {
          const { status, headers } = await send(target, {
            path: "/images/generations",
            body: { ...generateSample, ...body },
          });
          assert.equal(status, 200);
          return ["is-blurred", "is-content-violation"].map((name) => headers.get(prefix + name));
        };
        assert.deepEqual(await flagsOf({}), ["false", "false"]);
        assert.deepEqual(await flagsOf({ prompt: "a nude at sea" }), ["true", "false"]);
        assert.deepEqual(await flagsOf({ prompt: "a nude at sea", moderation: "low" }), ["false", "false"]);
        assert.deepEqual(await flagsOf({ prompt: "a content-violation" }), ["false", "true"]);
      },
    },
  ],
};
