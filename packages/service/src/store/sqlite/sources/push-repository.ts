import { sql } from "kysely";
import type { PushRepository } from "../../../sources/repositories/push-repository";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";

/** Pushed items in the SQLite file of a workspace. */
export const createPushRepository = ({
	read,
	readJob,
	writeJob,
}: Pick<Database<WorkspaceTables>, "read" | "readJob" | "writeJob">): PushRepository => ({
	async findSource(knowledgeBase) {
		const row = await read
			.selectFrom("sources")
			.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
			.select("sources.id")
			.where("knowledge_bases.id", "=", knowledgeBase)
			.where("knowledge_bases.deleted_at", "is", null)
			.where("sources.deleted_at", "is", null)
			.where(sql<string>`json_extract(settings, '$.kind')`, "=", "push")
			.orderBy("sources.id")
			.executeTakeFirst();
		return row?.id;
	},
	store: (input) => writeJob("storePushedItem", input),
	remove: (input) => writeJob("removePushedItems", input),
	list: (source) => readJob("listPushedItems", { source }),
	find: async (source, key) => (await readJob("listPushedItems", { source, key }))[0],
});
