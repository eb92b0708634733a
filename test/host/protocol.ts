/** What the tests in the extension host tell the process that started them, one JSON object per line. */
export type HostEvent =
  | { readonly type: "start"; readonly title: string }
  | { readonly type: "pass"; readonly title: string; readonly ms: number }
  | { readonly type: "fail"; readonly title: string; readonly stack: string }
  | { readonly type: "value"; readonly name: string; readonly value: unknown }
  | { readonly type: "end" };

/** Environment variables that the extension host gets from that process. */
export const environment = {
  /** Loopback port that takes the events. */
  port: "INFERENCE_TEST_PORT",
  /** Folder with the certificates of `TestCertificates`, as PEM files. */
  certificates: "INFERENCE_TEST_CERTIFICATES",
} as const;

/** PEM files in the certificates folder. */
export const certificateFiles = {
  /** For `hostName`, signed by the authority that the extension host finds in its system store. */
  trusted: { cert: "trusted.cert.pem", key: "trusted.key.pem" },
  /** For `hostName`, signed by an authority that nobody knows. */
  unknown: { cert: "unknown.cert.pem", key: "unknown.key.pem" },
} as const;

/** The name both certificates are made out for: only a proxy of the tests can resolve it. */
export const hostName = "service.test";
