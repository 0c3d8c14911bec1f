export { createExtractiveModel } from "./extractive/create";
export { splitSentences, type TextRange } from "./extractive/split-sentences";
