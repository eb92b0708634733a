import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { certificateFiles, environment, hostName } from "../host/protocol.ts";
import { createAuthority, issueCertificate } from "./certificate.ts";

/** Where Linux distributions keep the certificates that the system trusts, as one file. */
const systemStores = [
  "/etc/ssl/certs/ca-certificates.crt",
  "/etc/pki/tls/certs/ca-bundle.crt",
  "/etc/ssl/ca-bundle.pem",
  "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
];

/**
 * Makes the certificates that tests in the extension host need, and the environment that puts a private authority
 * into what a process takes for the system's store: OpenSSL reads it from `SSL_CERT_FILE`, the machine's own store
 * is not touched.
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
