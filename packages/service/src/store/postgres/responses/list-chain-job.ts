import { sql } from "kysely";
import {
	type ResponseChainRequest,
	type ResponseChainRow,
	type ResponseChainRows,
	toChainRows,
} from "../../sqlite/responses/list-chain-job";
import { ownRows } from "../own-rows-plugin";
import type { PostgresJob } from "../postgres-job";

/** Depths and summed bytes come first: texts are read only where they are few enough together. */
const selectChain = ({ owner, id, maxBytes }: ResponseChainRequest) => sql<ResponseChainRow>`
	WITH RECURSIVE chain (id, parent_id, depth, total) AS (
		SELECT id, parent_id, 0, bytes FROM responses
		WHERE ${ownRows("responses")} AND id = ${id} AND owner = ${owner}
		UNION ALL
		SELECT parent.id, parent.parent_id, depth + 1, total + parent.bytes
		FROM chain JOIN responses AS parent ON parent.id = chain.parent_id AND parent.owner = ${owner}
		WHERE ${ownRows("parent")} AND total <= ${maxBytes}
	),
	size (total) AS (SELECT max(total) FROM chain)
	SELECT chain.parent_id, size.total,
		CASE WHEN size.total <= ${maxBytes} THEN responses.input ELSE '' END AS input,
		CASE WHEN size.total <= ${maxBytes} THEN responses.outcome ELSE '' END AS outcome
	FROM size CROSS JOIN chain JOIN responses ON responses.id = chain.id
	WHERE ${ownRows("responses")}
	ORDER BY chain.depth DESC`;

/** Follows the parents of a response, until they have more bytes together than are allowed. */
export const listResponseChain: PostgresJob<ResponseChainRequest, ResponseChainRows> = async (
	transaction,
	request,
) => {
	const { rows } = await selectChain(request).execute(transaction);
	return toChainRows(rows, request.maxBytes);
};
