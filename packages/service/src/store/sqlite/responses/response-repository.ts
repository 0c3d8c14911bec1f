import { sql } from "kysely";
import type {
	ResponseChain,
	ResponseOutcome,
	ResponseRepository,
	StoredResponse,
} from "../../../responses/repositories/response-repository";
import type { Queries } from "../../database";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";
import type { ResponseRow } from "./response-tables";

/** Responses in the SQLite file of a workspace. */
export const createResponseRepository = ({ read, write }: Queries<WorkspaceTables>): ResponseRepository => ({
	async insert({ id, owner, parent_id, background, created_at, head, input, outcome }) {
		const columns = { input: JSON.stringify(input), ...toOutcomeColumns(outcome) };
		await write
			.insertInto("responses")
			.values({
				...{ id, owner, parent_id, created_at },
				...columns,
				background: background ? 1 : 0,
				bytes: Buffer.byteLength(columns.input) + Buffer.byteLength(columns.outcome),
				head: JSON.stringify(head),
			})
			.execute();
	},
	async findMany(owner, ids) {
		if (ids.length === 0) return [];
		const rows = await read
			.selectFrom("responses")
			.selectAll()
			.where("id", "in", [...ids])
			.where("owner", "=", owner)
			.execute();
		return rows.map(toStoredResponse);
	},
	listChain: (owner, id, maxBytes) => listChain(read, { owner, id, maxBytes }),
	async finish(id, outcome) {
		const columns = toOutcomeColumns(outcome);
		const { numUpdatedRows } = await write
			.updateTable("responses")
			.set({ ...columns, bytes: sql<number>`bytes + ${Buffer.byteLength(columns.outcome)}` })
			.where("id", "=", id)
			.where("status", "=", "in_progress")
			.executeTakeFirst();
		return numUpdatedRows > 0n;
	},
	async finishAll(outcome) {
		await write
			.updateTable("responses")
			.set(toOutcomeColumns(outcome))
			.where("status", "=", "in_progress")
			.execute();
	},
	async delete(owner, id) {
		const { numDeletedRows } = await write
			.deleteFrom("responses")
			.where("id", "=", id)
			.where("owner", "=", owner)
			.executeTakeFirst();
		return numDeletedRows > 0n;
	},
});

interface ChainRequest {
	readonly owner: string;
	readonly id: string;
	readonly maxBytes: number;
}

/** Follows the parents of a response, until they have more bytes together than are allowed. */
async function listChain(
	read: Queries<WorkspaceTables>["read"],
	{ owner, id, maxBytes }: ChainRequest,
): Promise<ResponseChain> {
	const { rows } = await sql<ResponseRow & { readonly total: number }>`
		WITH RECURSIVE chain (id, parent_id, depth, total) AS (
			SELECT id, parent_id, 0, bytes FROM responses WHERE id = ${id} AND owner = ${owner}
			UNION ALL
			SELECT parent.id, parent.parent_id, depth + 1, total + parent.bytes
			FROM chain JOIN responses AS parent ON parent.id = chain.parent_id AND parent.owner = ${owner}
			WHERE total <= ${maxBytes}
		)
		SELECT responses.*, chain.total FROM chain JOIN responses ON responses.id = chain.id
		WHERE chain.total <= ${maxBytes} OR chain.depth = 0
		ORDER BY depth DESC`.execute(read);
	const [first] = rows;
	return {
		responses: rows.map(toStoredResponse),
		missingId: first?.parent_id ?? undefined,
		isTooLarge: first !== undefined && (await hasParent(read, first, owner)),
	};
}

/** Checks whether a response that is the first one of a chain has a parent all the same. */
async function hasParent(
	read: Queries<WorkspaceTables>["read"],
	{ parent_id }: Pick<ResponseRow, "parent_id">,
	owner: string,
): Promise<boolean> {
	if (parent_id === null) return false;
	const parent = await read
		.selectFrom("responses")
		.select("id")
		.where("id", "=", parent_id)
		.where("owner", "=", owner)
		.executeTakeFirst();
	return parent !== undefined;
}

const toOutcomeColumns = (outcome: ResponseOutcome) => ({
	status: outcome.status,
	outcome: JSON.stringify(outcome),
});

const toStoredResponse = (row: ResponseRow): StoredResponse => ({
	id: row.id,
	owner: row.owner,
	parent_id: row.parent_id,
	background: row.background === 1,
	created_at: row.created_at,
	head: parseColumn(row.head),
	input: parseColumn(row.input),
	outcome: parseColumn(row.outcome),
});
