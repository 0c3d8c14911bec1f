import type { ModelChoice } from "@stemma/core";
import type { ResolvedModel } from "@stemma/engine";
import { REFUSAL_CODES } from "@stemma/routing";
import { DomainError } from "../errors/domain-error";
import type { ModelRequest, Models } from "./models";

/** A node of a run that a model answers for. */
export interface RunNode {
	/** ID of the node in the graph. */
	readonly node: string;
	/** Model that the node names; left out where it names none. */
	readonly choice?: ModelChoice | undefined;
}

/** Request for the models of a run, the same for every node. */
export type RunModelRequest = Omit<ModelRequest, "choice">;

/**
 * Resolves the models of all nodes of a run, before its first call: for runs of the service, and for those elsewhere that
 * ask the service who answers and who pays.
 *
 * @returns one for each node, in their order.
 * @throws DomainError one for all nodes that are refused, each of them in `details.refusals`; code and hint are
 * those of the refusal that comes first in `REFUSAL_CODES`.
 */
export function resolveRun(
	{ resolve }: Pick<Models, "resolve">,
	nodes: readonly RunNode[],
	request: RunModelRequest,
): readonly ResolvedModel[] {
	const resolved: ResolvedModel[] = [];
	const refusals: NodeRefusal[] = [];
	for (const { node, choice } of nodes)
		try {
			resolved.push(resolve({ ...request, choice }));
		} catch (error) {
			if (!(error instanceof DomainError)) throw error;
			refusals.push({ node, error });
		}
	if (refusals.length > 0) throw joinRefusals(refusals);
	return resolved;
}

interface NodeRefusal {
	readonly node: string;
	readonly error: DomainError;
}

function joinRefusals(refusals: readonly NodeRefusal[]): DomainError {
	const { error } = refusals.reduce((first, one) =>
		refusalPriority(one) < refusalPriority(first) ? one : first,
	);
	const messages = refusals.map((refusal) => `"${refusal.node}": ${refusal.error.message}`);
	return new DomainError(error.code, `No model for ${messages.join(" ")}`, {
		hint: error.hint,
		origin: error.origin,
		details: { refusals: refusals.map(toDetails) },
		cause: error,
	});
}

/**
 * Returns the priority of a refusal. An error that is not a refusal by the rules, such as an expired credential, comes
 * last.
 */
function refusalPriority({ error }: NodeRefusal): number {
	const codes: readonly string[] = REFUSAL_CODES;
	const index = codes.indexOf(error.code);
	return index === -1 ? codes.length : index;
}

const toDetails = ({ node, error: { code, message, hint } }: NodeRefusal) => ({
	node,
	code,
	message,
	...(hint !== undefined && { hint }),
});
