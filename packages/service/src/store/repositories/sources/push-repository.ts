import type { PushRepository } from "../../../sources/repositories/push-repository";
import type { Database } from "../../database";
import type { WorkspaceTables } from "../../workspace-tables";
import { findPushSource } from "./push-source";

/** Pushed items of a workspace, in its tables. */
export const createPushRepository = ({
	read,
	readJob,
	writeJob,
}: Pick<Database<WorkspaceTables>, "read" | "readJob" | "writeJob">): PushRepository => ({
	findSource: (knowledgeBase) => findPushSource(read, knowledgeBase),
	store: (input) => writeJob("storePushedItem", input),
	remove: (input) => writeJob("removePushedItems", input),
	list: (source) => readJob("listPushedItems", { source }),
	find: async (source, key) => (await readJob("listPushedItems", { source, key }))[0],
});
