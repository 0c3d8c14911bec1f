import { type Kysely, sql } from "kysely";
import type {
	ResponseOutcome,
	ResponseRepository,
	StoredResponse,
} from "../../../responses/repositories/response-repository";
import { ownClaims, type WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { ResponseRow } from "../../sqlite/responses/response-tables";
import type { WorkspaceTables } from "../../workspace-tables";

/** Responses of a workspace. */
export const createResponseRepository = (
	{ read, readJob, write }: Pick<Database<WorkspaceTables>, "read" | "readJob" | "write">,
	claims: WorkClaims = ownClaims,
): ResponseRepository => ({
	insert: (response) =>
		claims.isShared && response.outcome.status === "in_progress"
			? claims.taking({ kind: "response", id: response.id }, (take) =>
					write.transaction().execute(async (transaction) => {
						await insertResponse(transaction, response);
						await take(transaction);
					}),
				)
			: insertResponse(write, response),
	...createResponseQueries(read, readJob),
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
			.where(claims.isUnclaimed("response", "responses.id"))
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

/** Queries of responses. */
const createResponseQueries = (
	read: Kysely<WorkspaceTables>,
	readJob: Database<WorkspaceTables>["readJob"],
): Pick<ResponseRepository, "find" | "listReplies" | "listChain"> => ({
	async find(owner, id) {
		const row = await read
			.selectFrom("responses")
			.selectAll()
			.where("id", "=", id)
			.where("owner", "=", owner)
			.executeTakeFirst();
		return row && toStoredResponse(row);
	},
	async listReplies(owner, ids, maxBytes) {
		const rows = await readJob("listResponseReplies", { owner, ids, maxBytes });
		return rows && new Map(rows.map(({ id, reply }) => [id, parseColumn(reply)]));
	},
	async listChain(owner, id, maxBytes) {
		const { rows, ...chain } = await readJob("listResponseChain", { owner, id, maxBytes });
		return {
			...chain,
			responses: rows.map(({ input, outcome }) => ({
				input: parseColumn(input),
				outcome: parseColumn(outcome),
			})),
		};
	},
});

async function insertResponse(queries: Kysely<WorkspaceTables>, response: StoredResponse): Promise<void> {
	await queries.insertInto("responses").values(toRow(response)).execute();
}

const toOutcomeColumns = (outcome: ResponseOutcome) => ({
	status: outcome.status,
	outcome: JSON.stringify(outcome),
});

function toRow(response: StoredResponse): ResponseRow {
	const { id, owner, parent_id, background, created_at, head } = response;
	const columns = { input: JSON.stringify(response.input), ...toOutcomeColumns(response.outcome) };
	return {
		...{ id, owner, parent_id, created_at },
		...columns,
		background: background ? 1 : 0,
		bytes: Buffer.byteLength(columns.input) + Buffer.byteLength(columns.outcome),
		head: JSON.stringify(head),
	};
}

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
