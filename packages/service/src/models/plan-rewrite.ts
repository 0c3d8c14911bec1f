import type { ResolvedModel } from "@stemma/engine";
import type { StageRow } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import type { ModelRequest, Models } from "./models";

/** Plan of the call that makes the queries of a search from its conversation. */
export interface RewritePlan {
	/** Left out where no call is made: the search goes by words then. */
	readonly row?: StageRow;
	/** Reason for the model and the payer, or for no call. */
	readonly reason: string;
}

/** Plans who makes the queries of a search, and who pays. Never refused: without a model a search goes by words. */
export function planRewrite({ plan }: Pick<Models, "plan">, request: ModelRequest): RewritePlan {
	try {
		const [row] = plan(["rewrite"], request);
		if (row === undefined) return { reason: GOES_BY_WORDS };
		return row.payer === "none" ? { reason: row.reason } : { row, reason: row.reason };
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return { reason: `${error.message} ${GOES_BY_WORDS}` };
	}
}

const GOES_BY_WORDS = "The question is searched for as it is, with the words of the last messages.";

/** Resolves the model that makes the queries, by the row that was planned. */
export const resolveRewrite = (
	{ resolve }: Pick<Models, "resolve">,
	request: ModelRequest,
	{ reason }: Pick<StageRow, "reason">,
): ResolvedModel => ({ ...resolve(request), reason });
