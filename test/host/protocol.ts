/** Events from the tests in the extension host to the process that started them, one JSON object per line. */
export type HostEvent =
  | { readonly type: "start"; readonly title: string }
  | { readonly type: "pass"; readonly title: string; readonly ms: number }
  | { readonly type: "fail"; readonly title: string; readonly stack: string }
  | { readonly type: "file"; readonly file: string; readonly ms: number }
  | { readonly type: "value"; readonly name: string; readonly value: unknown }
  | { readonly type: "end" };

/** Environment variables of the extension host, set by that process. */
export const environment = {
  /** Loopback port for the events. */
  port: "INFERENCE_TEST_PORT",
  /** Folder with the certificates of `TestCertificates`, as PEM files. */
  certificates: "INFERENCE_TEST_CERTIFICATES",
} as const;

/** PEM files in the certificates folder. */
export const certificateFiles = {
  /** For `hostName`, signed by the authority in the extension host's system store. */
  trusted: { cert: "trusted.cert.pem", key: "trusted.key.pem" },
  /** For `hostName`, signed by an unknown authority. */
  unknown: { cert: "unknown.cert.pem", key: "unknown.key.pem" },
} as const;

/** The host name of both certificates: only a proxy of the tests can resolve it. */
export const hostName = "service.test";
