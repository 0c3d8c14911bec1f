import { type Kysely, sql } from "kysely";
import type { WorkChange } from "../../claims/work-claims";
import type { WorkspaceTables } from "../../workspace-tables";
import { INSTANCE_CHANNEL } from "../instances/instance-channel";

/** Topic of the changes of work. */
export const WORK_TOPIC = "work";

/** Change of work of one workspace, as it is sent to all instances. */
export interface WorkMessage {
	readonly workspace: string;
	/** Instance that has made the change. */
	readonly from: string;
	readonly change: WorkChange;
}

/** Ids in one message: Postgres takes less than 8,000 bytes. */
const MAX_IDS = 150;

/** Tells other instances of a change once the transaction, which is of its workspace, is committed. */
export async function notifyWork(
	transaction: Kysely<WorkspaceTables>,
	from: string,
	change: WorkChange,
): Promise<void> {
	for (const part of splitChange(change))
		await sql`
			SELECT pg_notify(${INSTANCE_CHANNEL}, json_build_object(
				'topic', ${WORK_TOPIC}::text,
				'payload', json_build_object(
					'workspace', current_setting('stemma.workspace'),
					'from', ${from}::text,
					'change', ${JSON.stringify(part)}::json
				)
			)::text)`.execute(transaction);
}

/** Splits a change of many runs into parts that fit into a message each. */
export function splitChange(change: WorkChange): readonly WorkChange[] {
	if (!("runIds" in change) || change.runIds.length <= MAX_IDS) return [change];
	const { runIds } = change;
	return Array.from({ length: Math.ceil(runIds.length / MAX_IDS) }, (_, index) => ({
		...change,
		runIds: runIds.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
	}));
}
