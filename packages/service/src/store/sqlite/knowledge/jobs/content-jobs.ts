import type { ByteRange, TextRange } from "../../../../knowledge/repositories/content-repository";
import type { JobFile } from "../../../job-file";
import { type ContentChunk, iterateChunks, readChunkFrom } from "../content-chunks";

/** Position in a content. */
export interface ContentPosition {
	/** Number of the content. */
	readonly content: number;
	readonly position: number;
}

/** Reads a content from a position on, at most 256 KiB. */
export const readContentChunk = (
	file: JobFile,
	{ content, position }: ContentPosition,
): Uint8Array | undefined => readChunkFrom(file, content, position);

/** Finds the bytes of a range of text; `undefined` where the content is gone. */
export function findTextRange(file: JobFile, { content, start, end }: TextRange): ByteRange | undefined {
	const row = file.prepare("SELECT size FROM contents WHERE number = ?").get(content);
	if (row === undefined) return undefined;
	return toByteRange(
		findCharacter(file, content, start),
		end === undefined ? undefined : findCharacter(file, content, end),
		Number(row.size),
	);
}

/** Returns the bytes from one character to another; those that are not found are at the end. */
export function toByteRange(
	start: CharacterPosition | undefined,
	end: CharacterPosition | undefined,
	size: number,
): ByteRange {
	const startByte = start?.after ?? size;
	return { start: startByte, end: Math.max(startByte, end?.before ?? size) };
}

/** Positions around an offset: they differ where it cuts a character in two. */
export interface CharacterPosition {
	/** Position of the character that the offset cuts, or that begins there. */
	readonly before: number;
	/** Position of the first character that begins at the offset or behind it. */
	readonly after: number;
}

/** Finds a character by its offset in UTF-16 code units; `undefined` behind the end of the text. */
function findCharacter(file: JobFile, content: number, offset: number): CharacterPosition | undefined {
	let seen = 0;
	for (const chunk of iterateChunks(file, content)) {
		const found = findInChunk(chunk, offset - seen);
		if (typeof found !== "number") return found;
		seen += found;
	}
	return undefined;
}

/** Finds a character in a chunk of a text; where it is behind it, the length of the chunk in UTF-16 code units. */
export function findInChunk({ position, bytes }: ContentChunk, offset: number): CharacterPosition | number {
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
	if (offset > text.length) return text.length;
	const before = offset - (isCut(text, offset) ? 1 : 0);
	const start = position + Buffer.byteLength(text.slice(0, before));
	return { before: start, after: before === offset ? start : start + CUT_CHARACTER_BYTES };
}

/** Bytes of a character that has two code units in UTF-16. */
const CUT_CHARACTER_BYTES = 4;

/** Checks whether an offset is in the middle of a character. */
const isCut = (text: string, offset: number): boolean =>
	offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
