import { createAuditRecord } from "../../../../audit/audit-record";
import type { ReindexRepository } from "../../../../knowledge/repositories/reindex-repository";
import type { Database } from "../../../database";
import type { WorkspaceTables } from "../../../workspace-tables";

/** Moves of knowledge bases of a workspace, in its tables. */
export const createReindexRepository = ({
	read,
	write,
	readJob,
	writeJob,
}: Database<WorkspaceTables>): ReindexRepository => ({
	find: (knowledgeBase) => readJob("findReindex", knowledgeBase),
	measure: (input) => readJob("measureReindex", input),
	start: ({ audit, ...input }) => writeJob("startReindex", { ...input, audit: createAuditRecord(audit) }),
	listActive: () =>
		read
			.selectFrom("reindexes")
			.innerJoin("knowledge_bases", "knowledge_bases.number", "reindexes.knowledge_base")
			.select(["knowledge_bases.id as knowledgeBase", "status"])
			.where("status", "!=", "completed")
			.where("deleted_at", "is", null)
			.orderBy("started_at")
			.execute(),
	next: (input) => readJob("takeUnindexed", input),
	store: (input) => writeJob("storeReindexed", input),
	complete: ({ knowledgeBase, now }) =>
		writeJob("completeReindex", {
			...{ knowledgeBase, now },
			// The move knows its author.
			audit: createAuditRecord({
				actor: "",
				action: "knowledge_base.reindex_completed",
				target: knowledgeBase,
			}),
		}),
	async pause(knowledgeBase, error) {
		await write
			.updateTable("reindexes")
			.set({ status: "paused", error: JSON.stringify(error) })
			.where("status", "in", ["running", "paused"])
			.where("knowledge_base", "=", (query) =>
				query.selectFrom("knowledge_bases").select("number").where("id", "=", knowledgeBase),
			)
			.execute();
	},
	drop: (knowledgeBase, audit) => writeJob("dropReindex", { knowledgeBase, audit: createAuditRecord(audit) }),
	async dropBefore(time) {
		await write
			.updateTable("reindexes")
			.set({ status: "dropping", needs_clearing: 1 })
			.where("status", "=", "completed")
			.where("completed_at", "<", time)
			.execute();
	},
	clear: (knowledgeBase) => writeJob("clearReindex", knowledgeBase),
});
