import assert from "node:assert/strict";
import { type CallCase, failureOf, type World } from "../suite/suite.ts";
import type { SandboxTarget } from "../suite/target.ts";
import { send } from "../suite/wire.ts";
import { png, upload } from "./images/pictures.ts";

/** wire.md section 3: files over 25 MB are a 413; the client does not even send them. */
export function tooLarge(
  path: string,
  member: string,
  call: (world: World, file: ReturnType<typeof upload>) => Promise<unknown>,
): CallCase<SandboxTarget> {
  return {
    name: "refuses a file over 25 MB, which the client does not even send",
    async run(world) {
      const bytes = new Uint8Array(25 * 1024 * 1024 + 1);
      bytes.set(png(256, 256));
      const file = new File([bytes], "big.png", { type: "image/png" });
      const reply = await send(world.target, { path, form: [[member, file]] });
      assert.equal(reply.status, 413, reply.text);
      const before = world.target.sandbox.requestCount;
      const { kind, details } = await failureOf(call(world, upload(bytes, "big.png")));
      assert.deepEqual([kind, details.issues?.[0]?.field], ["invalid-request", member]);
      assert.match(details.issues?.[0]?.message ?? "", /25 MB/);
      assert.equal(world.target.sandbox.requestCount, before);
    },
  };
}
