import type { WorkClaims } from "../../store/claims/work-claims";
import { assertSameRequest, type Claim } from "./idempotency-claim";

interface InFlightRequest {
	readonly claim: Claim;
	readonly work: Promise<unknown>;
}

/** Workspace of requests, by whose claims several instances do the work of a request once. */
export interface RequestWorkspace {
	readonly store: { readonly claims: Pick<WorkClaims, "isShared" | "take" | "untilReleased" | "release"> };
}

const inFlight = new WeakMap<RequestWorkspace, Map<string, InFlightRequest>>();

/**
 * Work of this process that the same request has begun. On another instance that shares the store, {@link start} waits for it.
 *
 * @throws DomainError `idempotency_conflict`.
 */
export function findInFlight(workspace: RequestWorkspace, claim: Claim): Promise<unknown> | undefined {
	const found = inFlight.get(workspace)?.get(toKey(claim));
	if (found !== undefined) assertSameRequest(found.claim, claim);
	return found?.work;
}

/**
 * Begins work that the same request then finds. Where another instance is at the work of the same request, it begins once
 * that has ended: the work looks for what is stored first.
 */
export function start<Result>(
	workspace: RequestWorkspace,
	claim: Claim,
	work: () => Promise<Result>,
): Promise<Result> {
	const requests = inFlight.get(workspace) ?? new Map<string, InFlightRequest>();
	inFlight.set(workspace, requests);
	const { claims } = workspace.store;
	const working = claims.isShared ? workExclusively(claims, toKey(claim), work) : work();
	const started = working.finally(() => requests.delete(toKey(claim)));
	requests.set(toKey(claim), { claim, work: started });
	return started;
}

const toKey = ({ caller_id, route, key }: Claim): string => JSON.stringify([caller_id, route, key]);

const forever = new AbortController().signal;

async function workExclusively<Result>(
	claims: RequestWorkspace["store"]["claims"],
	id: string,
	work: () => Promise<Result>,
): Promise<Result> {
	const request = { kind: "request", id } as const;
	while (!(await claims.take(request))) await claims.untilReleased(request, forever);
	try {
		return await work();
	} finally {
		await claims.release(request);
	}
}
