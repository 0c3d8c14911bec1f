// Property tests draw the same cases each time, so that a run says something about a change and not about its luck.
// `STEMMA_SEED=2 npm test` draws others; a property that fails prints its seed.
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.STEMMA_SEED ?? 1) });
