import type { ChatModel } from "@stemma/core";
import { ProviderError } from "@stemma/routing";

/** Vendors' errors as they were thrown: a run keeps less of them than an answer tells, such as when to try again. */
export interface ProviderErrorCollector {
	/** Wraps a model so that its errors are collected; otherwise it behaves the same. */
	wrap(model: ChatModel): ChatModel;
	lastError(): ProviderError | undefined;
}

export function collectProviderErrors(): ProviderErrorCollector {
	let lastError: ProviderError | undefined;
	return {
		wrap: (model) => ({
			...model,
			async *stream(request, options) {
				try {
					yield* model.stream(request, options);
				} catch (error) {
					if (ProviderError.is(error)) lastError = error;
					throw error;
				}
			},
		}),
		lastError: () => lastError,
	};
}
