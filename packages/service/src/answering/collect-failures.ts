import type { ChatModel } from "@stemma/core";
import { ProviderError } from "@stemma/routing";

/** Vendors' errors as they were thrown: a run keeps less of them than an answer tells, such as when to try again. */
export interface FailureCollector {
	/** The same model. */
	watch(model: ChatModel): ChatModel;
	last(): ProviderError | undefined;
}

export function collectFailures(): FailureCollector {
	let last: ProviderError | undefined;
	return {
		watch: (model) => ({
			...model,
			async *stream(request, options) {
				try {
					yield* model.stream(request, options);
				} catch (error) {
					if (ProviderError.is(error)) last = error;
					throw error;
				}
			},
		}),
		last: () => last,
	};
}
