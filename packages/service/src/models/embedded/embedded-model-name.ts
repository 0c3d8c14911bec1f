/** Name of the embedded model, on receipts and in the pins of knowledge bases. Other weights get another name. */
export const EMBEDDED_MODEL = "universal-sentence-encoder-lite";
