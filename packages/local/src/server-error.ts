import { ApiError, AuthenticationError, ConnectionError, PermissionError } from "@stemma/client";
import type { ReceiptRow, StemmaError } from "@stemma/core";
import { quote } from "@stemma/core/internal";
import { describeSecretSource, type SecretSource } from "./secrets/secret-source";
import { toServerLabel } from "./server-label";

/** Call to a server: its address and credential. */
export interface ServerCall {
	readonly url: string;
	/** The name of the node's secret. */
	readonly secret: string | undefined;
	/** Source of the secret's value. */
	readonly source: SecretSource | undefined;
}

/** Converts an error of a server to one for the author of a graph, who has no client whose options they could set. */
export function toServerError(error: unknown, call: ServerCall): unknown {
	if (ApiError.is(error) && (error.status === 401 || error.status === 403))
		return withReceipt(toAuthError(error, call), error);
	return ConnectionError.is(error) ? withReceipt(toConnectionError(error, call), error) : error;
}

function toAuthError(error: ApiError, { url, secret, source }: ServerCall): ApiError {
	const { status, code, requestId } = error;
	const [what, hint] =
		secret === undefined
			? ["asks for a credential", "Give the node `auth: { secret: … }`."]
			: [
					`refuses the secret ${quote(secret)}`,
					`Set another value: ${describeSecretSource(source, secret)}.`,
				];
	const ErrorClass = status === 401 ? AuthenticationError : PermissionError;
	const replacement = new ErrorClass({
		status,
		code,
		message: `${toServerLabel(url)} ${what} (HTTP ${status}).`,
		// It says which scopes are missing.
		hint: code === "insufficient_scope" ? `${error.hint} ${hint}` : hint,
		requestId,
	});
	// What the server said itself, where errors are looked into; as a field it would be printed everywhere.
	return Object.defineProperty(replacement, "cause", { value: error, configurable: true, writable: true });
}

function toConnectionError({ code, message, cause }: ConnectionError, { url }: ServerCall): ConnectionError {
	return code === "redirected"
		? new ConnectionError(`${toServerLabel(url)} answers with a redirect, which is not followed.`, {
				code,
				hint: "Set the node's address to the one that the redirect leads to: a secret is sent only to the node's address.",
			})
		: new ConnectionError(message, {
				code,
				hint: "Check that the server runs, and that its address in the node is right.",
				cause,
			});
}

/** Copies the receipt of the calls before the failure to the replacement error. */
const withReceipt = (
	replacement: StemmaError,
	{ receipt }: StemmaError & { readonly receipt?: readonly ReceiptRow[] },
): StemmaError => (receipt === undefined ? replacement : Object.assign(replacement, { receipt }));
