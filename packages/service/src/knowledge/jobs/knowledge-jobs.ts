import type { Job } from "../../store/job-file";
import { SEARCH, type SearchInput, search } from "../search/search-job";
import { ADD_DOCUMENTS, type AddDocumentsInput, addDocuments } from "./add-documents-job";
import { CLAIM_UPLOADS, type ClaimUploadsInput, claimUploads } from "./claim-uploads-job";
import { COUNT_ATTEMPT, countAttempt } from "./count-attempt-job";
import { FILTER_CURRENT_UPLOADS, filterCurrentUploads } from "./current-uploads-job";
import {
	DELETE_DOCUMENT,
	DELETE_KNOWLEDGE_BASE,
	type DeleteDocumentInput,
	type DeleteKnowledgeBaseInput,
	deleteDocument,
	deleteKnowledgeBase,
} from "./delete-jobs";
import { RECOVER_UPLOADS, type RecoverInput, recoverUploads } from "./recover-uploads-job";
import { REQUEUE_UPLOAD, requeueUpload } from "./requeue-upload-job";
import { RETURN_UPLOADS, type ReturnedUpload, returnUploads } from "./return-uploads-job";
import { STORE_PASSAGES, type StorePassagesInput, storePassages } from "./store-passages-job";
import { SWEEP, sweep } from "./sweep-job";

/** Jobs of a workspace's knowledge in the database threads. */
export const knowledgeJobs: { readonly [name: string]: Job } = {
	[ADD_DOCUMENTS]: (file, input) => addDocuments(file, input as AddDocumentsInput),
	[CLAIM_UPLOADS]: (file, input) => claimUploads(file, input as ClaimUploadsInput),
	[STORE_PASSAGES]: (file, input) => storePassages(file, input as StorePassagesInput),
	[DELETE_DOCUMENT]: (file, input) => deleteDocument(file, input as DeleteDocumentInput),
	[DELETE_KNOWLEDGE_BASE]: (file, input) => deleteKnowledgeBase(file, input as DeleteKnowledgeBaseInput),
	[COUNT_ATTEMPT]: (file, input) => countAttempt(file, input as number),
	[RETURN_UPLOADS]: (file, input) => returnUploads(file, input as readonly ReturnedUpload[]),
	[REQUEUE_UPLOAD]: (file, input) => requeueUpload(file, input as number),
	[FILTER_CURRENT_UPLOADS]: (file, input) => filterCurrentUploads(file, input as readonly number[]),
	[RECOVER_UPLOADS]: (file, input) => recoverUploads(file, input as RecoverInput),
	[SWEEP]: sweep,
	[SEARCH]: (file, input) => search(file, input as SearchInput),
};
