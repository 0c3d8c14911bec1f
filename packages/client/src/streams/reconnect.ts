import { ApiError } from "../errors/api-errors";
import { StreamError, TimeoutError } from "../errors/errors";
import { INVALID_RESPONSE } from "../errors/invalid-response";
import { exceedsMaxRetryAfter, isRetryable } from "../http/retry";
import type { RunStreamState } from "./run-stream-state";

/** Drops in a row, without a new event between them, after which a run is given up. */
export const MAX_CONSECUTIVE_DISCONNECTS = 8;
/** A connection that stood so long was no failure, even without an event: proxies cut after a minute. */
const HEALTHY_CONNECTION_MS = 5000;

/** Checks whether a connection was open long enough not to count as a failure. A timeout is one: the service was silent. */
export const wasHealthy = (
	{ openedAt }: RunStreamState<unknown>,
	disconnectError: unknown,
	now: number,
): boolean => now - openedAt > HEALTHY_CONNECTION_MS && !TimeoutError.is(disconnectError);

/** Finds the error with which a run is given up after a disconnect; `undefined` where another connection may help. */
export function findFailure(state: RunStreamState<unknown>, error: unknown): unknown {
	const { hasOpened, disconnects, maxRetries } = state;
	const mayPass =
		error === undefined ||
		(hasOpened ? isReconnectable(error) : disconnects <= maxRetries && isRetryable(error));
	if (!mayPass) return error;
	return disconnects > MAX_CONSECUTIVE_DISCONNECTS ? createStreamLostError(state, error) : undefined;
}

/**
 * Checks whether a new connection may help: after an error that may pass in a moment, not after a refusal of the
 * service. Once the service has answered, an error page of a proxy may pass, too.
 */
export const isReconnectable = (error: unknown): boolean =>
	isRetryable(error) ||
	TimeoutError.is(error) ||
	(ApiError.is(error) &&
		(error.code === INVALID_RESPONSE || error.status === 500) &&
		!exceedsMaxRetryAfter(error));

function createStreamLostError(
	{ run_id, seq, requestId }: RunStreamState<unknown>,
	cause: unknown,
): StreamError {
	const run = run_id === undefined ? "the run" : `the run ${run_id}`;
	return new StreamError(`The connection to ${run} was lost after event ${seq} and could not be restored.`, {
		code: "stream_lost",
		hint: "The run may still be active: read it again with `runs.stream` or `runs.get` when the service can be reached.",
		requestId,
		cause,
	});
}
