import { sql } from "kysely";
import type { ReturnedUpload } from "../../../../../knowledge/repositories/upload-repository";
import { REREADING } from "../../../../sqlite/knowledge/jobs/uploads/insert-upload";
import { ownRows } from "../../../own-rows-plugin";
import type { PostgresJob } from "../../../postgres-job";

/** Uploads that were taken wait again: whatever ends the process now, reading them was not at fault. */
export const returnUploads: PostgresJob<readonly ReturnedUpload[], void> = async (transaction, uploads) => {
	for (const { number, attempts, staysClaimed = false } of uploads) {
		await transaction
			.updateTable("uploads")
			.set(({ fn, val }) => ({ attempts: fn<number>("least", ["attempts", val(attempts)]) }))
			.where("number", "=", number)
			.execute();
		await transaction
			.updateTable("documents")
			.set({ status: "queued" })
			.where("number", "in", (query) =>
				query
					.selectFrom("uploads")
					.select("document")
					.where("number", "=", number)
					.where("rereading", "=", REREADING.no),
			)
			.execute();
		await transaction
			.updateTable("uploads")
			.set({ rereading: REREADING.waiting })
			.where("number", "=", number)
			.where("rereading", "!=", REREADING.no)
			.execute();
		if (!staysClaimed)
			await sql`update uploads set owner = null where ${ownRows("uploads")} and number = ${number}`.execute(
				transaction,
			);
	}
};
