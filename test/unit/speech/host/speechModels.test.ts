// The voices of a speech model are read from its own record where the list has none (spec E7).
import assert from "node:assert/strict";
import { test } from "node:test";
import { SpeechModels } from "../../../../src/speech/host/speechModels.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { clientOf, serve, transports } from "../../api/client.ts";

const record = (id: string, voices?: readonly string[]) => ({
  ...{ id, object: "model", type: "tts" },
  model_spec: { name: id, supported_formats: ["mp3"], ...(voices ? { voices } : {}) },
});
const listed = [record("first", ["ann"]), record("second"), record("third")];

for (const { name, create } of transports) {
  for (const isOffered of [true, false]) {
    const what = isOffered
      ? "each model without voices is asked for"
      : "no second model is asked for after a 404";
    test(`${name}: ${what}`, async (t) => {
      const server = await serve(t, ({ url }, response) => {
        const id = url.split("/models/")[1];
        if (id === undefined) return sendJson(response, 200, { data: listed });
        if (!isOffered) return sendJson(response, 404, { error: "No route" });
        return sendJson(response, 200, record(id, [`voice of ${id}`]));
      });
      const { api } = clientOf(t, server.origin, { transport: create() });
      const models = new SpeechModels({
        session: { client: async () => ({ api, connection: { id: "c" } }) },
        choices: { get: () => undefined, lastModel: () => undefined },
        voices: { of: () => [] },
      } as never);
      const { cards } = await models.ensure();
      assert.deepEqual(
        cards.map(({ voices }) => voices),
        isOffered ? [["ann"], ["voice of second"], ["voice of third"]] : [["ann"], [], []],
      );
      const asked = server.received.flatMap(({ url }) => url.split("/models/")[1] ?? []);
      assert.deepEqual(asked, isOffered ? ["second", "third"] : ["second"]);
    });
  }
}
