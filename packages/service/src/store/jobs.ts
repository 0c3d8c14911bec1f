import { computeCoverage } from "../answering/coverage-job";
import { addDocuments } from "../knowledge/jobs/add-documents-job";
import { claimUploads } from "../knowledge/jobs/claim-uploads-job";
import { countAttempt } from "../knowledge/jobs/count-attempt-job";
import { filterCurrentUploads } from "../knowledge/jobs/current-uploads-job";
import { deleteDocument, deleteKnowledgeBase } from "../knowledge/jobs/delete-jobs";
import { recoverUploads } from "../knowledge/jobs/recover-uploads-job";
import { requeueUpload } from "../knowledge/jobs/requeue-upload-job";
import { returnUploads } from "../knowledge/jobs/return-uploads-job";
import { storePassages } from "../knowledge/jobs/store-passages-job";
import { sweep } from "../knowledge/jobs/sweep-job";
import { search } from "../knowledge/search/search-job";
import { appendEvents } from "../runs/events/append-events-job";
import { sweepRetention } from "../storage/retention-job";
import { readStoredCounts } from "../storage/stored-counts-job";
import { selectUsage } from "../usage/usage-job";
import type { JobFile } from "./job-file";

/** Work that runs whole in a database thread, because a message for each of its statements would take too long. */
const jobs = {
	addDocuments,
	appendEvents,
	claimUploads,
	computeCoverage,
	countAttempt,
	deleteDocument,
	deleteKnowledgeBase,
	filterCurrentUploads,
	readStoredCounts,
	recoverUploads,
	requeueUpload,
	returnUploads,
	search,
	selectUsage,
	storePassages,
	sweep,
	sweepRetention,
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
