import type { JobFile } from "./job-file";
import { listHidden } from "./sqlite/access/list-hidden-job";
import { listFeedback } from "./sqlite/feedback/list-feedback-job";
import { addDocuments } from "./sqlite/knowledge/jobs/add-documents-job";
import { findTextRange, readContentChunk } from "./sqlite/knowledge/jobs/content-jobs";
import { deleteDocument } from "./sqlite/knowledge/jobs/delete-document-job";
import { queueOutdated } from "./sqlite/knowledge/jobs/queue-outdated-job";
import { retryDocument } from "./sqlite/knowledge/jobs/retry-document-job";
import { storePassages } from "./sqlite/knowledge/jobs/store-passages-job";
import { sweep } from "./sqlite/knowledge/jobs/sweep-job";
import { claimUploads } from "./sqlite/knowledge/jobs/uploads/claim-uploads-job";
import { filterCurrentUploads } from "./sqlite/knowledge/jobs/uploads/current-uploads-job";
import { recoverUploads } from "./sqlite/knowledge/jobs/uploads/recover-uploads-job";
import { requeueUpload } from "./sqlite/knowledge/jobs/uploads/requeue-upload-job";
import { returnUploads } from "./sqlite/knowledge/jobs/uploads/return-uploads-job";
import { measureReindex, takeUnindexed } from "./sqlite/knowledge/reindex/missing-vectors";
import {
	clearReindex,
	completeReindex,
	dropReindex,
	findReindex,
	startReindex,
	storeReindexed,
} from "./sqlite/knowledge/reindex/reindex-jobs";
import { computeCoverage } from "./sqlite/knowledge/search/coverage-job";
import { search } from "./sqlite/knowledge/search/search-job";
import { listResponseChain } from "./sqlite/responses/list-chain-job";
import { listResponseReplies } from "./sqlite/responses/list-replies-job";
import { appendEvents } from "./sqlite/runs/append-events-job";
import { listPushedItems } from "./sqlite/sources/list-pushed-job";
import { markUnchangedItems } from "./sqlite/sources/mark-unchanged-job";
import { removePushedItems, storePushedItem } from "./sqlite/sources/push-items-job";
import { removeMissingItems } from "./sqlite/sources/remove-items-job";
import { storeSourceItems } from "./sqlite/sources/store-items-job";
import { sweepSources } from "./sqlite/sources/sweep-sources-job";
import { eraseUser } from "./sqlite/storage/erase-user-job";
import { sweepRetention } from "./sqlite/storage/retention-job";
import { readStoredCounts } from "./sqlite/storage/stored-counts-job";
import { listThreadBranch, listThreadMessages } from "./sqlite/threads/list-messages-job";
import { listThreads } from "./sqlite/threads/list-threads-job";
import { deleteThreadStep, endInterruptedMessages, endThreadMessage } from "./sqlite/threads/thread-jobs";
import { selectUsage } from "./sqlite/usage/usage-job";

/** Work that runs whole in a database thread, because a message for each of its statements would take too long. */
const jobs = {
	addDocuments,
	appendEvents,
	claimUploads,
	clearReindex,
	completeReindex,
	computeCoverage,
	deleteDocument,
	deleteThreadStep,
	dropReindex,
	endInterruptedMessages,
	endThreadMessage,
	eraseUser,
	filterCurrentUploads,
	findReindex,
	findTextRange,
	listFeedback,
	listHidden,
	listPushedItems,
	listThreadBranch,
	listThreadMessages,
	listThreads,
	listResponseChain,
	listResponseReplies,
	markUnchangedItems,
	measureReindex,
	queueOutdated,
	readContentChunk,
	readStoredCounts,
	recoverUploads,
	removeMissingItems,
	removePushedItems,
	requeueUpload,
	retryDocument,
	returnUploads,
	search,
	selectUsage,
	startReindex,
	storePassages,
	storePushedItem,
	storeReindexed,
	storeSourceItems,
	sweep,
	sweepRetention,
	sweepSources,
	takeUnindexed,
};

type Jobs = typeof jobs;
export type JobName = keyof Jobs;
type JobInputs = {
	readonly [Name in JobName]: Jobs[Name] extends (file: JobFile, input: infer Input) => unknown
		? Input
		: never;
};
type JobOutputs = { readonly [Name in JobName]: ReturnType<Jobs[Name]> };
export type JobInput<Name extends JobName> = JobInputs[Name];
export type JobOutput<Name extends JobName> = JobOutputs[Name];

/** The jobs, in a form in which the compiler relates a name to its input and output. */
const table: {
	readonly [Name in JobName]: (file: JobFile, input: JobInputs[Name]) => JobOutputs[Name];
} = jobs;

/** Runs a job on a file. */
export const runJob = <Name extends JobName>(
	file: JobFile,
	name: Name,
	input: JobInput<Name>,
): JobOutput<Name> => table[name](file, input);
