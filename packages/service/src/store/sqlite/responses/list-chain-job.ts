import type { JobFile } from "../../job-file";
import type { ResponseRow } from "./response-tables";

/** Response whose chain is listed. */
export interface ResponseChainRequest {
	readonly owner: string;
	readonly id: string;
	/** Maximum bytes of the inputs and outcomes of the whole chain. */
	readonly maxBytes: number;
}

/** Chain as it is read. */
export interface ResponseChainRows {
	readonly rows: readonly Pick<ResponseRow, "input" | "outcome">[];
	readonly missingId: string | undefined;
	readonly isTooLarge: boolean;
}

/** Response of a chain, with the bytes of the whole chain. */
export type ResponseChainRow = Pick<ResponseRow, "parent_id" | "input" | "outcome"> & {
	readonly total: number;
};

/** Depths and summed bytes come first: texts are read only where they are few enough together. */
const CHAIN = `
	WITH RECURSIVE chain (id, parent_id, depth, total) AS (
		SELECT id, parent_id, 0, bytes FROM responses WHERE id = ?1 AND owner = ?2
		UNION ALL
		SELECT parent.id, parent.parent_id, depth + 1, total + parent.bytes
		FROM chain JOIN responses AS parent ON parent.id = chain.parent_id AND parent.owner = ?2
		WHERE total <= ?3
	),
	size (total) AS (SELECT max(total) FROM chain)
	SELECT chain.parent_id, size.total,
		iif(size.total <= ?3, responses.input, '') AS input,
		iif(size.total <= ?3, responses.outcome, '') AS outcome
	FROM size CROSS JOIN chain CROSS JOIN responses ON responses.id = chain.id
	ORDER BY chain.depth DESC`;

/** Follows the parents of a response, until they have more bytes together than are allowed. */
export function listResponseChain(
	file: JobFile,
	{ owner, id, maxBytes }: ResponseChainRequest,
): ResponseChainRows {
	return toChainRows(file.prepare<ResponseChainRow>(CHAIN).all(id, owner, maxBytes), maxBytes);
}

/** Reads off the first row, which is the oldest response that is there, how the chain ended. */
export function toChainRows(rows: readonly ResponseChainRow[], maxBytes: number): ResponseChainRows {
	const [first] = rows;
	if (first !== undefined && first.total > maxBytes)
		return { rows: [], missingId: undefined, isTooLarge: true };
	return { rows, missingId: first?.parent_id ?? undefined, isTooLarge: false };
}
