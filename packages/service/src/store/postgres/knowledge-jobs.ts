import { addDocuments } from "./knowledge/jobs/add-documents-job";
import { findTextRange, readContentChunk } from "./knowledge/jobs/content-jobs";
import { deleteDocument } from "./knowledge/jobs/delete-document-job";
import { queueOutdated } from "./knowledge/jobs/queue-outdated-job";
import { retryDocument } from "./knowledge/jobs/retry-document-job";
import { storePassages } from "./knowledge/jobs/store-passages-job";
import { sweep } from "./knowledge/jobs/sweep-job";
import { claimUploads } from "./knowledge/jobs/uploads/claim-uploads-job";
import { filterCurrentUploads } from "./knowledge/jobs/uploads/current-uploads-job";
import { recoverUploads } from "./knowledge/jobs/uploads/recover-uploads-job";
import { requeueUpload } from "./knowledge/jobs/uploads/requeue-upload-job";
import { returnUploads } from "./knowledge/jobs/uploads/return-uploads-job";
import { measureReindex, takeUnindexed } from "./knowledge/reindex/missing-vectors";
import {
	clearReindex,
	completeReindex,
	dropReindex,
	findReindex,
	startReindex,
	storeReindexed,
} from "./knowledge/reindex/reindex-jobs";
import { computeCoverage } from "./knowledge/search/coverage-job";
import { search } from "./knowledge/search/search-job";
import type { PostgresJobs } from "./postgres-job";
import { listPushedItems } from "./sources/list-pushed-job";
import { markUnchangedItems } from "./sources/mark-unchanged-job";
import { removePushedItems, storePushedItem } from "./sources/push-items-job";
import { removeMissingItems } from "./sources/remove-items-job";
import { storeSourceItems } from "./sources/store-items-job";
import { sweepSources } from "./sources/sweep-sources-job";

/** Jobs of knowledge bases, documents, sources, word search and vectors. */
export const knowledgeJobs = {
	addDocuments,
	claimUploads,
	clearReindex,
	completeReindex,
	computeCoverage,
	deleteDocument,
	dropReindex,
	filterCurrentUploads,
	findReindex,
	findTextRange,
	listPushedItems,
	markUnchangedItems,
	measureReindex,
	queueOutdated,
	readContentChunk,
	recoverUploads,
	removeMissingItems,
	removePushedItems,
	requeueUpload,
	retryDocument,
	returnUploads,
	search,
	startReindex,
	storePassages,
	storePushedItem,
	storeReindexed,
	storeSourceItems,
	sweep,
	sweepSources,
	takeUnindexed,
} satisfies Partial<PostgresJobs>;
