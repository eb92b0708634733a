/** Environment variable of the extension host: `ours` or `empty`. */
export const measuredExtension = "INFERENCE_TEST_MEASURED";
