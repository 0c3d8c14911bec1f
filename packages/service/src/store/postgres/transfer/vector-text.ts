import { toVectorBytes } from "../../sqlite/knowledge/search/vector-code";
import { toVectorArray } from "../knowledge/search/passage-vectors";

/** Converts the text of an array or of a vector, such as `{0.5,1}` or `[0.5,1]`, to the bytes that SQLite keeps. */
export const parseVectorText = (text: string): Uint8Array =>
	toVectorBytes(Float32Array.from(text.slice(1, -1).split(","), Number));

/** Converts the bytes of a vector to the text of an array. The numbers must begin at a multiple of their size. */
export const toVectorText = (bytes: Uint8Array): string =>
	toVectorArray(new Float32Array(Uint8Array.from(bytes).buffer));
