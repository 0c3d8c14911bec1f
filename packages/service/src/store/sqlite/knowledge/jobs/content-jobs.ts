import type { ByteRange, TextRange } from "../../../../knowledge/repositories/content-repository";
import type { JobFile } from "../../../job-file";
import { iterateChunks, readChunkFrom } from "../content-chunks";

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
	const size = Number(row.size);
	const startByte = findCharacter(file, content, start)?.after ?? size;
	const endByte = (end === undefined ? undefined : findCharacter(file, content, end)?.before) ?? size;
	return { start: startByte, end: Math.max(startByte, endByte) };
}

/** Positions around an offset: they differ where it cuts a character in two. */
interface CharacterPosition {
	/** Position of the character that the offset cuts, or that begins there. */
	readonly before: number;
	/** Position of the first character that begins at the offset or behind it. */
	readonly after: number;
}

/** Finds a character by its offset in UTF-16 code units; `undefined` behind the end of the text. */
function findCharacter(file: JobFile, content: number, offset: number): CharacterPosition | undefined {
	let seen = 0;
	for (const { position, bytes } of iterateChunks(file, content)) {
		const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
		if (offset > seen + text.length) {
			seen += text.length;
			continue;
		}
		const before = offset - seen - (isCut(text, offset - seen) ? 1 : 0);
		const start = position + Buffer.byteLength(text.slice(0, before));
		return { before: start, after: before === offset - seen ? start : start + CUT_CHARACTER_BYTES };
	}
	return undefined;
}

/** Bytes of a character that has two code units in UTF-16. */
const CUT_CHARACTER_BYTES = 4;

/** Checks whether an offset is in the middle of a character. */
const isCut = (text: string, offset: number): boolean =>
	offset > 0 && (text.codePointAt(offset - 1) ?? 0) > 0xffff;
