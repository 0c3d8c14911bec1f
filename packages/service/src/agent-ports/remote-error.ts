import type { ApiError } from "@stemma/client";
import type { ReceiptRow } from "@stemma/core";
import { isErrorOf, isStemmaError, StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { agentLoop } from "@stemma/protocol";
import { BlockedAddressError } from "../outbound/blocked-address-error";

/** Options of the error for a graph's author when a remote server or agent fails. */
export interface RemoteErrorOptions {
	readonly address: string;
	/** True where the caller may see which setting of the operator allows an address. */
	readonly canSeeAddresses: boolean;
}

/**
 * Converts the failure of a third-party server or agent to an error for the user who runs the graph: they have no
 * client whose options they could set, and may not see what a name resolves to.
 */
export function toRemoteError(error: unknown, { address, canSeeAddresses }: RemoteErrorOptions): unknown {
	if (BlockedAddressError.is(error)) return canSeeAddresses ? error : hideAddress(error);
	if (!isStemmaError(error)) return error;
	const origin = quote(toOrigin(address));
	switch (error.code) {
		case "connection_failed":
			return rewrap(error, `The connection to ${origin} failed, or was closed.`, {
				hint: "Check that the server runs, and that its address in the node is right.",
			});
		case "redirected":
			return rewrap(error, `${origin} answers with a redirect, which is not followed.`, {
				hint: "Set the node's address to the one that the redirect leads to, and store its secret for that address.",
			});
		case "headers_timeout":
		case "idle_timeout":
		case "event_timeout":
			return rewrap(error, error.message, {
				hint: "Ask for less, or let the server report its progress meanwhile.",
			});
		default:
			return error;
	}
}

/** Field of a node that names a remote address, with that address. */
export interface RemoteTarget {
	readonly field: "server" | "url";
	readonly address: string;
}

/** Replaces an HTTP error response from outside the protocol, which may contain anything, by its status alone. */
export function hideResponse(error: unknown, { field, address }: RemoteTarget): unknown {
	if (!isApiError(error)) return error;
	// Of a service or a runtime; in words of our own.
	if (error.code === "agent_loop") return rewrap(error, agentLoop().message, agentLoop());
	const { status } = error;
	const hint =
		status === 401 || status === 403
			? `Check the secret that \`auth\` of the node names: it may be wrong, missing, or for another server.`
			: `Check that \`${field}\` of the node is the right address. If it is, ask the operator of the server.`;
	return new StemmaError(
		`${quote(toOrigin(address))} answers with the HTTP status ${status}.`,
		{ code: `http_${status}`, hint, cause: error },
		readReceipt(error),
	);
}

/** The client is loaded with the first call alone, so its class is known by name. */
const isApiError = (error: unknown): error is ApiError => isErrorOf(error, { stemmaName: "ApiError" });

const toOrigin = (address: string): string => URL.parse(address)?.origin ?? "";

/** Hides why an address is blocked: only users who may change settings see how an operator allows it. */
export const hideAddress = (error: BlockedAddressError): StemmaError =>
	rewrap(error, "An address in the graph may not be called.", {
		hint: "Clients that may change the settings of the workspace can see why.",
	});

function rewrap(
	error: StemmaError,
	message: string,
	{ hint }: Pick<StemmaErrorOptions, "hint">,
): StemmaError {
	return new StemmaError(message, { code: error.code, hint, cause: error }, readReceipt(error));
}

/** Reads the receipt of the work that was done before the failure. */
export const readReceipt = ({
	receipt,
}: StemmaError & { readonly receipt?: readonly ReceiptRow[] }): object =>
	receipt === undefined ? {} : { receipt };
