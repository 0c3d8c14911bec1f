import type { Kysely, Selectable } from "kysely";
import type {
	PushConfigRepository,
	StoredPushConfig,
} from "../../../a2a/repositories/push-config-repository";
import type { Queries } from "../../database";
import type { A2aTables } from "../../sqlite/a2a/a2a-tables";
import type { WorkspaceTables } from "../../workspace-tables";
import { findHead } from "../runs/run-store";

type Connection = Kysely<WorkspaceTables>;
type Row = Selectable<A2aTables["a2a_push_configs"]>;

const FINISHED = { is_over: 1, secrets: null } as const;

/** Push configurations of a workspace. */
export const createPushConfigRepository = ({
	read,
	write,
}: Queries<WorkspaceTables>): PushConfigRepository => ({
	async find({ run_id, id }) {
		const row = await read
			.selectFrom("a2a_push_configs")
			.selectAll()
			.where("run_id", "=", run_id)
			.where("id", "=", id)
			.executeTakeFirst();
		return row && toStored(row);
	},
	list: (runId) => listConfigs(read, runId),
	listPending: () =>
		read
			.selectFrom("a2a_push_configs")
			.select(["run_id", "id"])
			.where("is_over", "=", 0)
			.orderBy("run_id")
			.execute(),
	replace: (key, create) =>
		write.transaction().execute(async (transaction) => {
			const configs = await listConfigs(transaction, key.run_id);
			const existing = configs.find(({ id }) => id === key.id);
			const run = await findHead(transaction, key.run_id);
			await putConfig(transaction, create({ existing, count: configs.length, run }));
		}),
	async delete({ run_id, id }) {
		await write.deleteFrom("a2a_push_configs").where("run_id", "=", run_id).where("id", "=", id).execute();
	},
	async finish({ run_id, id }) {
		await write
			.updateTable("a2a_push_configs")
			.set(FINISHED)
			.where("run_id", "=", run_id)
			.where("id", "=", id)
			.execute();
	},
	finishAllOf: (clientId) =>
		write
			.updateTable("a2a_push_configs")
			.set(FINISHED)
			.where("set_by", "=", clientId)
			.where("is_over", "=", 0)
			.returning(["run_id", "id"])
			.execute(),
	async advance({ run_id, id, created_at }, seq, isFinished) {
		const { numUpdatedRows } = await write
			.updateTable("a2a_push_configs")
			.set({ delivered_seq: seq, ...(isFinished && FINISHED) })
			.where("run_id", "=", run_id)
			.where("id", "=", id)
			.where("created_at", "=", created_at)
			.executeTakeFirst();
		return numUpdatedRows === 1n;
	},
});

/** Stores a push configuration in a transaction; replaces one with the same id. */
export async function putConfig(transaction: Connection, config: StoredPushConfig): Promise<void> {
	const { visibility, is_finished, ...columns } = config;
	const row: Row = { ...columns, exposure: visibility, is_over: is_finished ? 1 : 0 };
	await transaction
		.insertInto("a2a_push_configs")
		.values(row)
		.onConflict((conflict) => conflict.columns(["run_id", "id"]).doUpdateSet(row))
		.execute();
}

async function listConfigs(queries: Connection, runId: string): Promise<StoredPushConfig[]> {
	const rows = await queries
		.selectFrom("a2a_push_configs")
		.selectAll()
		.where("run_id", "=", runId)
		.orderBy("id")
		.execute();
	return rows.map(toStored);
}

const toStored = ({ exposure, is_over, ...row }: Row): StoredPushConfig => ({
	...row,
	visibility: exposure,
	is_finished: is_over === 1,
});
