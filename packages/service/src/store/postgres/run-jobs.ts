import { listHidden } from "./access/list-hidden-job";
import { listFeedback } from "./feedback/list-feedback-job";
import type { PostgresJobs } from "./postgres-job";
import { listResponseChain } from "./responses/list-chain-job";
import { listResponseReplies } from "./responses/list-replies-job";
import { appendEvents } from "./runs/append-events-job";
import { eraseUser } from "./storage/erase-user-job";
import { sweepRetention } from "./storage/retention-job";
import { readStoredCounts } from "./storage/stored-counts-job";
import { listThreadBranch, listThreadMessages } from "./threads/list-messages-job";
import { listThreads } from "./threads/list-threads-job";
import { deleteThreadStep, endInterruptedMessages, endThreadMessage } from "./threads/thread-jobs";
import { selectUsage } from "./usage/usage-job";

/** Jobs of runs, threads, responses, access, feedback, storage and usage. */
export const runJobs = {
	appendEvents,
	deleteThreadStep,
	endInterruptedMessages,
	endThreadMessage,
	eraseUser,
	listFeedback,
	listHidden,
	listResponseChain,
	listResponseReplies,
	listThreadBranch,
	listThreadMessages,
	listThreads,
	readStoredCounts,
	selectUsage,
	sweepRetention,
} satisfies Partial<PostgresJobs>;
