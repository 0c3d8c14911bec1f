import { sql } from "kysely";
import type { StorageRepository } from "../../../storage/storage-repository";
import type { Database } from "../../database";
import { ownRows } from "../../postgres/own-rows-plugin";
import { dialectOf } from "../dialect-of";

const USED_BYTES = {
	/** Pages that hold something: what was deleted counts no more, though the file keeps its size for a while. */
	sqlite: sql<{ bytes: number }>`
		SELECT (page_count - freelist_count) * page_size AS bytes
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
	/** Sum that triggers keep. */
	postgres: sql<{ bytes: number }>`SELECT bytes FROM workspace_storage WHERE ${ownRows("workspace_storage")}`,
};

/** Size and retention of what a workspace stores. */
export const createStorageRepository = <Tables>({
	read,
	readJob,
	writeJob,
}: Pick<Database<Tables>, "read" | "readJob" | "writeJob">): StorageRepository => ({
	async readBytes() {
		const { rows } = await USED_BYTES[dialectOf(read)].execute(read);
		return rows[0]?.bytes ?? 0;
	},
	readCounts: () => readJob("readStoredCounts", undefined),
	eraseUser: (userId) => writeJob("eraseUser", { userId }),
	sweep: (input) => writeJob("sweepRetention", input),
});
