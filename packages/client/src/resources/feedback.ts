import type { StemmaClient } from "../client";
import { readJsonLines } from "../http/json-lines";
import type { CallOptions } from "../options/call-options";
import type {
	ExportedFeedback,
	FeedbackFilter,
	FeedbackListOptions,
	FeedbackRecord,
} from "../types/feedback";
import { createPaginatedList, type PaginatedList } from "./paginated-list";

/** Feedback on answers, for those who improve them: needs the scope `agents:trace`. */
export interface FeedbackApi {
	/** The newest first. */
	list(filter?: FeedbackListOptions, options?: CallOptions): PaginatedList<FeedbackRecord>;
	/**
	 * Reads feedback with passages and citations, the newest first, as it arrives. Nothing is sent before it is read, and
	 * each `for await` sends anew.
	 *
	 * @throws ApiError `invalid_response` where the response ends too early.
	 */
	export(filter?: FeedbackFilter, options?: CallOptions): AsyncIterable<ExportedFeedback>;
}

export const feedback = (client: StemmaClient): FeedbackApi => ({
	list: (filter, options) => createPaginatedList(client, "/v1/feedback", filter, options),
	export: (filter = {}, options) => ({
		async *[Symbol.asyncIterator]() {
			const request = { method: "GET", path: "/v1/feedback/export", query: { ...filter }, options } as const;
			yield* readJsonLines<ExportedFeedback>(await client.open(request));
		},
	}),
});
