import type { ChatRequest } from "@stemma/core";
import type { ProviderError } from "../provider-error";
import { type Endpoint, toProviderError } from "./to-provider-error";

/** @throws ProviderError `unsupported_parameter` where a message has a `name` and the format has no field for it. */
export function assertNoNames({ messages }: ChatRequest, endpoint: Endpoint): void {
	if (messages.some((message) => message.role !== "tool" && message.name !== undefined))
		throw createNameError(endpoint);
}

function createNameError(endpoint: Endpoint): ProviderError {
	const error = toProviderError({ code: "unsupported_parameter", field: "messages.name" }, endpoint);
	error.attempts = 0;
	return error;
}
