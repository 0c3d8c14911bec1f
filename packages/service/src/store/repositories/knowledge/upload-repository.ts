import { type SqlBool, sql } from "kysely";
import type { UploadRepository } from "../../../knowledge/repositories/upload-repository";
import type { WorkClaims } from "../../claims/work-claims";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import type { PassageNumbers } from "./passage-numbers";

/** Parts of an upload queue. */
export interface UploadQueueParts {
	readonly claims: Pick<WorkClaims, "isShared" | "owner" | "notify">;
	readonly numbers: PassageNumbers;
}

/** Upload queue of a workspace, in its tables. */
export function createUploadRepository(
	{ read, write, readJob, writeJob }: Database<WorkspaceTables>,
	{ claims, numbers }: UploadQueueParts,
): UploadRepository {
	const { isShared, owner } = claims;
	const notifyQueued = (): Promise<void> => claims.notify(write, { type: "queued" });
	return {
		async recover(input) {
			numbers.startAt(await writeJob("recoverUploads", input));
		},
		async hasWaiting({ hasVectors, after, excluded }) {
			const row = await read
				.selectFrom("uploads")
				.select("number")
				.where("with_vectors", "=", hasVectors ? 1 : 0)
				.where("number", "not in", excluded)
				// Among several instances, those that are claimed say so; one that is given back may be an earlier one.
				.where(isShared ? sql<SqlBool>`owner is null` : sql<SqlBool>`number > ${after}`)
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
		claim: (input) =>
			writeJob("claimUploads", {
				...input,
				...(isShared && { after: 0 }),
				...(owner !== undefined && { owner }),
			}),
		async countAttempt(upload) {
			await write
				.updateTable("uploads")
				.set(({ eb }) => ({ attempts: eb("attempts", "+", 1) }))
				.where("number", "=", upload)
				.execute();
		},
		async returnToQueue(uploads) {
			await writeJob("returnUploads", uploads);
			if (uploads.some(({ staysClaimed = false }) => !staysClaimed)) await notifyQueued();
		},
		notifyQueued,
		queueOutdated: (input) => writeJob("queueOutdated", input),
		requeue: (upload) => writeJob("requeueUpload", upload),
		filterCurrent: (uploads) => readJob("filterCurrentUploads", uploads),
	};
}
