import type { RunShareField } from "@stemma/client";
import { DomainError } from "../errors/domain-error";
import { TRACE_SCOPE } from "./share-fields";
import { MAX_SHARES_PER_RUN } from "./share-limits";

/** Error of a link that is unknown, expired or revoked, or whose run is not there any more: nobody learns which. */
export const shareNotFound = (): DomainError =>
	new DomainError("share_not_found", "This link is not valid: it has expired, or was revoked.", {
		hint: "Ask the person who sent it for another one.",
	});

export const runNotShareable = (): DomainError =>
	new DomainError("run_not_ended", "The run has not ended, and a link shows runs that have.", {
		hint: "Share it once it has ended: then what the link shows does not change any more.",
	});

export const tooManyShares = (): DomainError =>
	new DomainError("too_many_shares", `The run has ${MAX_SHARES_PER_RUN} valid links, the maximum.`, {
		hint: "Revoke links that nobody needs any more.",
	});

export const fieldsNotVisible = (fields: readonly RunShareField[]): DomainError =>
	new DomainError("missing_scope", `You do not see these parts of the run yourself: ${fields.join(", ")}.`, {
		hint: `Share the other parts, or ask somebody with the scope "${TRACE_SCOPE}".`,
		param: "fields",
		details: { scopes: [TRACE_SCOPE] },
	});
