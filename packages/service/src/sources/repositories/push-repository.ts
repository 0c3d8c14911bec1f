import type { DocumentStatus } from "@stemma/client";
import type { EmbeddingSpace } from "@stemma/routing";
import type { NewDocument } from "../../knowledge/repositories/document-repository";
import type { StoreItemsResult } from "./sync-repository";

/** Item that was pushed into a source, with its document. Times are epoch milliseconds. */
export interface PushedItem {
	readonly key: string;
	readonly version: string;
	readonly status: DocumentStatus;
	/** Message of a document that could not be read. */
	readonly error: string | null;
	readonly size_bytes: number;
	readonly created_at: number;
	readonly updated_at: number;
}

/** Change of the items of a source, and the report that it is counted in. */
interface PushInput {
	/** Id. */
	readonly source: string;
	/**
	 * Id of a new report. Changes that follow one another within 10 minutes are in one: this id is that of a report that is
	 * begun.
	 */
	readonly sync: string;
	readonly now: number;
}

/** Item to store. */
export interface StorePushedInput extends PushInput {
	readonly key: string;
	readonly version: string;
	readonly document: NewDocument & { readonly source: string };
	/** Maximum documents of the workspace. */
	readonly maxDocuments: number;
	/** Space that vectors are created in now; `null`: none are created. */
	readonly space: EmbeddingSpace | null;
}

/** Items to remove. */
export interface RemovePushedInput extends PushInput {
	/** Up to 200 keys. */
	readonly keys: readonly string[];
}

/** Items that were pushed into the sources of one workspace. Uploads and items of other sources are never touched. */
export interface PushRepository {
	/** Finds the id of the first source of a knowledge base that items are pushed into. */
	findSource(knowledgeBase: string): Promise<string | undefined>;
	/** Stores an item with its document, or replaces the content of one. `ended`: the source is deleted. */
	store(input: StorePushedInput): Promise<StoreItemsResult>;
	/** Removes items with their documents; those that are not there are left out. False: the source is deleted. */
	remove(input: RemovePushedInput): Promise<boolean>;
	/** Lists the items of a source whose documents are there, by their keys. */
	list(source: string): Promise<readonly PushedItem[]>;
	find(source: string, key: string): Promise<PushedItem | undefined>;
}
