import type { ReceiptRow } from "@stemma/core";
import { isStemmaError, StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";
import { quote } from "@stemma/core/internal";
import { BlockedAddressError } from "../outbound/blocked-address-error";

export interface OutsideErrorOptions {
	/** What was called. */
	readonly address: string;
	/** Whether the caller may see which setting of the operator opens an address. */
	readonly seesAddresses: boolean;
}

/**
 * Why a server or an agent of others gave nothing, in words for whoever runs a graph: they have no client whose options
 * they could set, and what a name leads to is not for them to see.
 */
export function toOutsideError(error: unknown, { address, seesAddresses }: OutsideErrorOptions): unknown {
	if (BlockedAddressError.is(error)) return seesAddresses ? error : hideAddress(error);
	if (!isStemmaError(error)) return error;
	const place = quote(URL.parse(address)?.origin ?? "");
	switch (error.code) {
		case "connection_failed":
			return retell(error, `There was no connection to ${place}, or it broke off.`, {
				hint: "Look whether the server is there, and whether its address in the node is right.",
			});
		case "redirected":
			return retell(error, `What is at ${place} answers with a redirect, which is not followed.`, {
				hint: "Write the address that it leads to in the node, and store its secret for that one.",
			});
		case "response_timeout":
		case "silence_timeout":
		case "progress_timeout":
			return retell(error, error.message, {
				hint: "Ask for less, or have the server tell of its progress meanwhile.",
			});
		default:
			return error;
	}
}

/** How an operator opens an address is for those who may change settings. */
export const hideAddress = (error: BlockedAddressError): StemmaError =>
	retell(error, "An address in the graph may not be called.", {
		hint: "Whoever may change the settings of the workspace is told why.",
	});

function retell(
	error: StemmaError,
	message: string,
	{ hint }: Pick<StemmaErrorOptions, "hint">,
): StemmaError {
	return new StemmaError(message, { code: error.code, hint, cause: error }, readReceipt(error));
}

/** Of what was done before it failed. */
export const readReceipt = ({
	receipt,
}: StemmaError & { readonly receipt?: readonly ReceiptRow[] }): object =>
	receipt === undefined ? {} : { receipt };
