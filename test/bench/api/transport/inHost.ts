// Runs inside the extension host: 100 small calls over TLS by one transport, several times.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import type { createUndiciTransport as CreateUndiciTransport } from "../../../../src/api/transport/undici.ts";
import { sendEvent } from "../../../host/channel.ts";
import { bundlePath } from "../../../host/extensions.ts";
import { certificateFiles, environment } from "../../../host/protocol.ts";
import { measureTransport, type TransportSample, testedTransport } from "./measure.ts";

const rounds = 5;
const requests = 100;

describe("a transport", () => {
  it("carries small requests over TLS", async function () {
    this.timeout(120_000);
    const samples: TransportSample[] = [];
    for (let round = 0; round <= rounds; round++) {
      const transport = process.env[testedTransport] === "undici" ? undici() : createHostTransport();
      const sample = await measureTransport(transport, trustedCertificate(), requests);
      if (round > 0) samples.push(sample);
      await transport.close();
    }
    sendEvent({ type: "value", name: "transport", value: samples });
  });
});

function undici() {
  const path = bundlePath("undici.js");
  const bundle = createRequire(path)(path) as { createUndiciTransport: typeof CreateUndiciTransport };
  return bundle.createUndiciTransport();
}

function trustedCertificate() {
  const read = (file: string) =>
    readFileSync(join(process.env[environment.certificates] ?? "", file), "utf8");
  const { cert, key } = certificateFiles.trusted;
  return { cert: read(cert), key: read(key) };
}
