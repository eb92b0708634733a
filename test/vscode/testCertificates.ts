import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFiles, environment, hostName } from "../host/protocol.ts";
import { createAuthority, issueCertificate } from "./certificate.ts";

/** The system's certificate store, as one file, on common Linux distributions. */
const systemStores = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/**
 * Writes the certificates for tests in the extension host. Returns the environment that adds a private authority to
 * the store that a process takes for the system's: OpenSSL reads it from `SSL_CERT_FILE`, so the machine's own
 * store stays unchanged.
 */
export function writeTestCertificates(directory: string): { readonly env: NodeJS.ProcessEnv } {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text, { mode: 0o600 });
  const names = [hostName, "localhost", "127.0.0.1"];
  for (const [who, files] of Object.entries(certificateFiles)) {
    const authorityName = `Inference Workbench test authority (${who})`;
    const authority = createAuthority(authorityName);
    const { cert, key } = issueCertificate(authority, authorityName, names);
    write(files.cert, cert);
    write(files.key, key);
    if (who === "trusted") write("system.pem", systemCertificates() + authority.cert);
  }
  return { env: { [environment.certificates]: directory, SSL_CERT_FILE: join(directory, "system.pem") } };
}

function systemCertificates(): string {
  const store = systemStores.find((path) => existsSync(path));
  return store ? readFileSync(store, "utf8") : "";
}
