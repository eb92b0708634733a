// Pictures by their web address, and a resolution that the model does not list, with the real sandbox over HTTP.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import type { Members } from "../../../../../src/shared/members.ts";
import { make, png, studioOf } from "../studioOf.ts";

/** A server of pictures: `/cat.png`, `/small.png`, and 404 for others. */
async function pictureServer(t: TestContext) {
  const asked: { readonly path: string; readonly cookie: unknown; readonly referer: unknown }[] = [];
  const server = createServer(({ url = "", headers }, response) => {
    asked.push({ path: url, cookie: headers.cookie, referer: headers.referer });
    const side = new Map([
      ["/cat.png", 300],
      ["/small.png", 20],
    ]).get(url);
    response.statusCode = side === undefined ? 404 : 200;
    response.end(side === undefined ? "" : png(side, side));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return { root: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const bodyOf = (requests: readonly { readonly path: string; readonly bodyText: string }[], path: string) =>
  JSON.parse(requests.findLast((one) => one.path.endsWith(path))?.bodyText ?? "{}") as Members;

for (const dialect of ["standard", "venice"] as const)
  test(`an address is sent as it is to both routes, and the service reads it (${dialect})`, async (t) => {
    const { root, asked } = await pictureServer(t);
    const { service, controller, state, gallery } = await studioOf(t, {
      dialect,
      draft: { prompt: "warmer" },
    });
    const url = `${root}/cat.png`;
    await controller.addAddress(url);
    const [layer] = state().layers;
    assert.deepEqual([layer?.url, layer?.name, layer?.width, layer?.problem], [url, "cat.png", 300, ""]);
    // The preview has been read once, without anything that identifies the user.
    assert.deepEqual(asked, [{ path: "/cat.png", cookie: undefined, referer: undefined }]);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    assert.equal(bodyOf(service.requests, "/image/edit").image, url);
    assert.equal(asked.length, 2);
    controller.add([{ name: "mine.png", data: png(256, 256) }]);
    await controller.handle(make);
    assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
    const { images } = bodyOf(service.requests, "/image/multi-edit") as { images: string[] };
    assert.equal(images[0], url);
    assert.equal(images.length, 2);
    const { facts } = await gallery.facts(state().outcome?.picture ?? "");
    assert.deepEqual(facts?.inputs, [url, "mine.png"]);
  });

test("an address without a preview can be sent, and says why it has none", async (t) => {
  const { root } = await pictureServer(t);
  const { controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  await controller.addAddress(`${root}/gone.png`);
  const [layer] = state().layers;
  assert.deepEqual(
    [layer?.note, layer?.width, layer?.problem],
    ["no preview: its server answered 404", 0, ""],
  );
  assert.equal(state().problem, "");
  await controller.handle(make);
  // The service can't read it either: its words are at the field.
  assert.equal(state().outcome?.kind, "failed");
  assert.match(state().outcome?.fields.image ?? "", /can't be fetched/);
});

test("a picture at an address that breaks a rule says so before it is sent", async (t) => {
  const { root } = await pictureServer(t);
  const { controller, state } = await studioOf(t, { draft: { prompt: "warmer" } });
  await controller.addAddress(`${root}/small.png`);
  assert.match(state().problem, /small\.png: A picture needs at least 65,536 pixels/);
});

test("an address that the service can't read is refused by name", async (t) => {
  const { controller, state } = await studioOf(t);
  for (const [address, reason] of [
    ["file:///etc/passwd", /must begin with http:\/\/ or https:\/\//],
    ["https://me:secret@example.org/a.png", /user name or a password/],
    ["http://192.168.1.7/a.png", /192\.168\.1\.7 is not public: the service reads only public pictures/],
    ["nonsense", /is not a web address/],
    [`https://example.org/${"x".repeat(4000)}`, /at most 4000 characters; this one has 4020/],
  ] as const) {
    await controller.addAddress(address);
    assert.match(state().outcome?.text ?? "", reason);
    assert.deepEqual(state().layers, []);
  }
});

test("an address survives a new window, and becomes a file when its preview is made to fit", async (t) => {
  const { controller, state } = await studioOf(t);
  const url = "https://example.org/a.png";
  controller.restore([{ id: crypto.randomUUID(), name: "a.png", isMask: false, url, data: png(300, 300) }]);
  assert.equal(state().layers[0]?.url, url);
  const id = state().layers[0]?.id ?? "";
  await controller.handle({
    v: 1,
    type: "replaceLayer",
    body: { id, bytes: png(256, 256) as Uint8Array<ArrayBuffer> },
  });
  assert.equal(state().layers[0]?.url, "");
});

test("a resolution that is not listed is sent as written; without one, none is sent", async (t) => {
  const { service, controller, state } = await studioOf(t, {
    draft: { prompt: "warmer", resolution: " 9K " },
  });
  controller.add([{ name: "a.png", data: png(256, 256) }]);
  assert.equal(state().controls.takesResolution, true);
  await controller.handle(make);
  const sent = service.requests.findLast(({ path }) => path.endsWith("/image/edit"));
  assert.match(sent?.bodyText ?? "", /"resolution":"9K"/);
  // The sandbox refuses it, at the field.
  assert.equal(state().outcome?.kind, "failed");
  assert.match(state().outcome?.fields.resolution ?? "", /./);
  const draft = { ...state().draft, resolution: "", stamp: state().draft.stamp + 1 };
  await controller.handle({ v: 1, type: "draft", body: { draft: draft as never } });
  await controller.handle(make);
  assert.equal(state().outcome?.kind, "kept", state().outcome?.text);
  assert.doesNotMatch(
    service.requests.findLast(({ path }) => path.endsWith("/image/edit"))?.bodyText ?? "",
    /resolution/,
  );
  const long = { ...draft, resolution: "12345678901", stamp: draft.stamp + 1 };
  await controller.handle({ v: 1, type: "draft", body: { draft: long as never } });
  assert.match(state().problem, /A resolution has 1 to 10 characters; “12345678901” has 11/);
});

test("a resolution that the list has no price for has no price; a listed one has its own", async (t) => {
  const { controller, state } = await studioOf(t, {
    draft: { prompt: "warmer", editModel: "retouch-layers" },
  });
  controller.add(["a.png", "b.png"].map((name) => ({ name, data: png(256, 256) })));
  const choose = async (resolution: string) => {
    const draft = { ...state().draft, resolution, stamp: state().draft.stamp + 1 };
    await controller.handle({ v: 1, type: "draft", body: { draft: draft as never } });
    return state().price;
  };
  const [, listed = ""] = state().controls.resolutions;
  assert.match(await choose(listed), /^\$/);
  assert.equal(await choose("9K"), "");
  assert.match(await choose(""), /^\$/);
});
