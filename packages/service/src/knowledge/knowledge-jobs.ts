import type { Job } from "../store/jobs";
import { ADD_DOCUMENTS, type AddDocumentsInput, addDocuments } from "./add-documents-job";
import { COUNT_ATTEMPT, countAttempt } from "./count-attempt-job";
import {
	DELETE_DOCUMENT,
	DELETE_KNOWLEDGE_BASE,
	type DeleteDocumentInput,
	type DeleteKnowledgeBaseInput,
	deleteDocument,
	deleteKnowledgeBase,
} from "./delete-jobs";
import { PUT_BACK, putBack, type ReturnedUpload } from "./put-back-job";
import { QUEUE_AGAIN, queueUploadAgain } from "./queue-again-job";
import { RECOVER, type RecoverInput, recover } from "./recover-job";
import { SEARCH, type SearchInput, search } from "./search-job";
import { FIND_STANDING, findStanding } from "./standing-job";
import { STORE_PASSAGES, type StorePassagesInput, storePassages } from "./store-passages-job";
import { SWEEP, sweep } from "./sweep-job";
import { TAKE_UPLOADS, type TakeUploadsInput, takeUploads } from "./take-uploads-job";

/** What a workspace's knowledge does in the database threads. */
export const knowledgeJobs: { readonly [name: string]: Job } = {
	[ADD_DOCUMENTS]: (file, input) => addDocuments(file, input as AddDocumentsInput),
	[TAKE_UPLOADS]: (file, input) => takeUploads(file, input as TakeUploadsInput),
	[STORE_PASSAGES]: (file, input) => storePassages(file, input as StorePassagesInput),
	[DELETE_DOCUMENT]: (file, input) => deleteDocument(file, input as DeleteDocumentInput),
	[DELETE_KNOWLEDGE_BASE]: (file, input) => deleteKnowledgeBase(file, input as DeleteKnowledgeBaseInput),
	[COUNT_ATTEMPT]: (file, input) => countAttempt(file, input as number),
	[PUT_BACK]: (file, input) => putBack(file, input as readonly ReturnedUpload[]),
	[QUEUE_AGAIN]: (file, input) => queueUploadAgain(file, input as number),
	[FIND_STANDING]: (file, input) => findStanding(file, input as readonly number[]),
	[RECOVER]: (file, input) => recover(file, input as RecoverInput),
	[SWEEP]: sweep,
	[SEARCH]: (file, input) => search(file, input as SearchInput),
};
