// Loaded before the test files of a complete run: random cases are the same each time, so that a failure comes from
// the change. `node --test FILE` and `npm test -- --seed any` use new random cases.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.INFERENCE_TEST_SEED) });
