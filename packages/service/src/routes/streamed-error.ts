import type { RunError } from "@stemma/core";
import { toAnswerError } from "../answering/answer-error";
import { toDomainError } from "../errors/to-domain-error";
import { toContextErrorBody } from "../http/errors/error-response";
import type { ServiceContext } from "../http/service-context";
import { visibilityOf } from "../runs/visibility";

/** Converts a failure as {@link toAnswerError} does, for a stream that has already begun with status 200. */
export function toStreamedError(context: ServiceContext, error: unknown): RunError {
	const visible = toDomainError(toAnswerError(error, { visibility: visibilityOf(context.get("caller")) }));
	context.get("kernel").logFailure(context.get("requestId"), visible, error);
	return toContextErrorBody(context, visible).error;
}
