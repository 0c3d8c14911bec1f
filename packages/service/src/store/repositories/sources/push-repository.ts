import type { PushRepository } from "../../../sources/repositories/push-repository";
import type { Database } from "../../database";
import { parseColumn } from "../../json-column";
import type { WorkspaceTables } from "../../workspace-tables";

/** Pushed items of a workspace, in its tables. */
export const createPushRepository = ({
	read,
	readJob,
	writeJob,
}: Pick<Database<WorkspaceTables>, "read" | "readJob" | "writeJob">): PushRepository => ({
	async findSource(knowledgeBase) {
		const rows = await read
			.selectFrom("sources")
			.innerJoin("knowledge_bases", "knowledge_bases.number", "sources.knowledge_base")
			.select(["sources.id", "settings"])
			.where("knowledge_bases.id", "=", knowledgeBase)
			.where("knowledge_bases.deleted_at", "is", null)
			.where("sources.deleted_at", "is", null)
			.orderBy("sources.id")
			.execute();
		return rows.find(({ settings }) => parseColumn(settings).kind === "push")?.id;
	},
	store: (input) => writeJob("storePushedItem", input),
	remove: (input) => writeJob("removePushedItems", input),
	list: (source) => readJob("listPushedItems", { source }),
	find: async (source, key) => (await readJob("listPushedItems", { source, key }))[0],
});
