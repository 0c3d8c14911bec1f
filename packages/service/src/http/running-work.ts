import type { Workspace } from "../workspaces/workspace";
import { assertSameRequest, type Claim } from "./idempotency-claim";

interface Running {
	readonly claim: Claim;
	readonly work: Promise<unknown>;
}

const running = new WeakMap<Workspace, Map<string, Running>>();

/**
 * Work of this process that the same request has begun.
 *
 * @throws ApiError `idempotency_conflict`.
 */
export function findRunning(workspace: Workspace, claim: Claim): Promise<unknown> | undefined {
	const found = running.get(workspace)?.get(nameOf(claim));
	if (found !== undefined) assertSameRequest(found.claim, claim);
	return found?.work;
}

/** Begins work that the same request then finds. */
export function begin<Result>(
	workspace: Workspace,
	claim: Claim,
	work: () => Promise<Result>,
): Promise<Result> {
	const here = running.get(workspace) ?? new Map<string, Running>();
	running.set(workspace, here);
	const begun = work().finally(() => here.delete(nameOf(claim)));
	here.set(nameOf(claim), { claim, work: begun });
	return begun;
}

const nameOf = ({ caller_id, route, key }: Claim): string => JSON.stringify([caller_id, route, key]);
