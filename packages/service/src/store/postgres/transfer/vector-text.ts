import { toVectorBytes } from "../../sqlite/knowledge/search/vector-code";

/** Converts the text of an array or of a vector, such as `{0.5,1}` or `[0.5,1]`, to the bytes that SQLite keeps. */
export const parseVectorText = (text: string): Uint8Array =>
	toVectorBytes(Float32Array.from(text.slice(1, -1).split(","), Number));
