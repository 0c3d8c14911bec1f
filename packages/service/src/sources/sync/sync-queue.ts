import type { FairQueue } from "@stemma/protocol";
import { createWorkspaceQueue } from "../../fairness/workspace-queue";

/** Syncs that run at once, of all workspaces. */
const MAX_CONCURRENT_SYNCS = 8;
const MAX_CONCURRENT_SYNCS_PER_WORKSPACE = 2;

/** Queue of the syncs of all workspaces, which take turns. */
export const createSyncQueue = (): FairQueue =>
	createWorkspaceQueue({
		concurrency: MAX_CONCURRENT_SYNCS,
		concurrencyPerWorkspace: MAX_CONCURRENT_SYNCS_PER_WORKSPACE,
		// Each source has one sync at the most, and sources are limited.
		maxWaiting: Number.POSITIVE_INFINITY,
		name: "syncs",
	});
