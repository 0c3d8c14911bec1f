export { createExtractiveModel } from "./extractive/create";
export { computeCoverage, type PassageLead, type PassageTexts } from "./extractive/passage-coverage";
export { splitSentences, type TextRange } from "./extractive/split-sentences";
