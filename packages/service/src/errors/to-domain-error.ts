import { StorageError } from "../store/storage-error";
import { DomainError } from "./domain-error";

const STORAGE_RETRY_SECONDS = 10;

/** Converts any error to one for the caller. What nobody expected becomes `internal_error`. */
export function toDomainError(error: unknown): DomainError {
	if (error instanceof DomainError) return error;
	if (error instanceof StorageError)
		return error.code === "storage_full"
			? new DomainError("storage_full", "The service has no space left to store this.", {
					hint: "Nothing was changed. The operator of the service must free some space.",
					retryAfterSeconds: STORAGE_RETRY_SECONDS,
				})
			: new DomainError("storage_unavailable", "The service cannot reach its store.", {
					hint: "Try again later; the service's log says what is wrong.",
					retryAfterSeconds: STORAGE_RETRY_SECONDS,
				});
	return new DomainError("internal_error", "Something went wrong in the service.", {
		hint: "This is an error of the service, not yours. The service's log has the details under the request id.",
	});
}

/** Error of a request whose client has left: no failure of the service, and only those who count requests read it. */
export const requestCancelled = (): DomainError =>
	new DomainError("cancelled", "The request was cancelled before it was answered.", {
		hint: "Send it again.",
	});
