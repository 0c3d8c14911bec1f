import type { UploadRepository } from "../../../knowledge/repositories/upload-repository";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import type { PassageNumbers } from "./passage-repository";

/** Upload queue of a workspace, in its tables. */
export const createUploadRepository = (
	{ read, write, readJob, writeJob }: Database<WorkspaceTables>,
	numbers: PassageNumbers,
): UploadRepository => ({
	async recover(input) {
		numbers.next = await writeJob("recoverUploads", input);
	},
	async hasWaiting({ hasVectors, after, excluded }) {
		const row = await read
			.selectFrom("uploads")
			.select("number")
			.where("with_vectors", "=", hasVectors ? 1 : 0)
			.where("number", ">", after)
			.where("number", "not in", excluded)
			.limit(1)
			.executeTakeFirst();
		return row !== undefined;
	},
	async count() {
		const { count } = await read
			.selectFrom("uploads")
			.select(({ fn }) => fn.countAll<number>().as("count"))
			.where("rereading", "=", 0)
			.executeTakeFirstOrThrow();
		return count;
	},
	claim: (input) => writeJob("claimUploads", input),
	async countAttempt(upload) {
		await write
			.updateTable("uploads")
			.set(({ eb }) => ({ attempts: eb("attempts", "+", 1) }))
			.where("number", "=", upload)
			.execute();
	},
	returnToQueue: (uploads) => writeJob("returnUploads", uploads),
	queueOutdated: (input) => writeJob("queueOutdated", input),
	requeue: (upload) => writeJob("requeueUpload", upload),
	filterCurrent: (uploads) => readJob("filterCurrentUploads", uploads),
});
