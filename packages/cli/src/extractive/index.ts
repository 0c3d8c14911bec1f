export { createExtractiveModel } from "./create";
export { splitSentences, type TextRange } from "./split-sentences";
