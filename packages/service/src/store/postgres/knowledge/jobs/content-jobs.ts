import type { ByteRange, TextRange } from "../../../../knowledge/repositories/content-repository";
import {
	type CharacterPosition,
	type ContentPosition,
	findInChunk,
	toByteRange,
} from "../../../sqlite/knowledge/jobs/content-jobs";
import type { PostgresJob } from "../../postgres-job";
import type { WorkspaceTransaction } from "../../workspace-transaction";
import { iterateChunks, readChunkFrom } from "../read-content";

/** Reads a content from a position on, at most 256 KiB. */
export const readContentChunk: PostgresJob<ContentPosition, Uint8Array | undefined> = (
	transaction,
	{ content, position },
) => readChunkFrom(transaction, content, position);

/** Finds the bytes of a range of text; `undefined` where the content is gone. */
export const findTextRange: PostgresJob<TextRange, ByteRange | undefined> = async (
	transaction,
	{ content, start, end },
) => {
	const row = await transaction
		.selectFrom("contents")
		.select("size")
		.where("number", "=", content)
		.executeTakeFirst();
	if (row === undefined) return undefined;
	return toByteRange(
		await findCharacter(transaction, content, start),
		end === undefined ? undefined : await findCharacter(transaction, content, end),
		row.size,
	);
};

/** Finds a character by its offset in UTF-16 code units; `undefined` behind the end of the text. */
async function findCharacter(
	transaction: WorkspaceTransaction,
	content: number,
	offset: number,
): Promise<CharacterPosition | undefined> {
	let seen = 0;
	for await (const chunk of iterateChunks(transaction, content)) {
		const found = findInChunk(chunk, offset - seen);
		if (typeof found !== "number") return found;
		seen += found;
	}
	return undefined;
}
