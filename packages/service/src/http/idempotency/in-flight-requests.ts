import type { Workspace } from "../../workspaces/workspace";
import { assertSameRequest, type Claim } from "./idempotency-claim";

interface InFlightRequest {
	readonly claim: Claim;
	readonly work: Promise<unknown>;
}

const inFlight = new WeakMap<Workspace, Map<string, InFlightRequest>>();

/**
 * Work of this process that the same request has begun.
 *
 * @throws DomainError `idempotency_conflict`.
 */
export function findInFlight(workspace: Workspace, claim: Claim): Promise<unknown> | undefined {
	const found = inFlight.get(workspace)?.get(toKey(claim));
	if (found !== undefined) assertSameRequest(found.claim, claim);
	return found?.work;
}

/** Begins work that the same request then finds. */
export function start<Result>(
	workspace: Workspace,
	claim: Claim,
	work: () => Promise<Result>,
): Promise<Result> {
	const requests = inFlight.get(workspace) ?? new Map<string, InFlightRequest>();
	inFlight.set(workspace, requests);
	const started = work().finally(() => requests.delete(toKey(claim)));
	requests.set(toKey(claim), { claim, work: started });
	return started;
}

const toKey = ({ caller_id, route, key }: Claim): string => JSON.stringify([caller_id, route, key]);
