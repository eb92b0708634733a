// Loaded before the test files of a whole run: random cases are the same each time, so that a failure is the change's
// own. `node --test FILE` throws the dice anew, and so does `npm test -- --seed any`.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.INFERENCE_TEST_SEED) });
