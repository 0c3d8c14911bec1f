import { clock } from "@stemma/core/internal";
import type { Kysely } from "kysely";
import type { RunClaim } from "../../runs/runs";
import type { Database } from "../../store/database";
import type { WorkspaceTables } from "../../store/workspace-tables";
import type { ServiceContext } from "../service-context";
import { type Claim, findClaim, putClaim, readClaim } from "./idempotency-claim";
import { findInFlight, start } from "./in-flight-requests";

/** Response of a route, stored so that it can be sent again. */
export interface StoredResponse {
	readonly status: number;
	/** JSON. */
	readonly body: unknown;
}

/**
 * Keeps an answer in the same transaction as what it tells of: then a crash cannot come between the two. Nothing
 * happens where the request has no key.
 */
export type StoreResponse = (transaction: Kysely<WorkspaceTables>, response: StoredResponse) => Promise<void>;

/**
 * Runs the work of a request that may be sent twice: the same key, caller, route and body give the same response for 24
 * hours; a request waits for work that is in flight. Work that fails is not stored, so it can be retried.
 *
 * @param body - what the request asks for, as JSON; of a multipart body, a value that represents it.
 * @param work - may call `storeResponse` itself; otherwise its response is stored once the work is done.
 * @throws DomainError `idempotency_conflict` for the same key with another body.
 */
export async function withIdempotency(
	context: ServiceContext,
	body: unknown,
	work: (storeResponse: StoreResponse) => Promise<StoredResponse>,
): Promise<Response> {
	const claim = readClaim(context, body);
	if (claim === undefined) return send(context, await work(async () => undefined));
	const workspace = context.get("workspace");
	const inFlight = findInFlight(workspace, claim) as Promise<StoredResponse> | undefined;
	return send(context, await (inFlight ?? start(workspace, claim, () => runOnce(context, claim, work))));
}

async function runOnce(
	context: ServiceContext,
	claim: Claim,
	work: (storeResponse: StoreResponse) => Promise<StoredResponse>,
): Promise<StoredResponse> {
	const { write } = context.get("workspace").database;
	const stored = await findClaim(write, claim);
	if (stored?.answer != null && stored.status !== null)
		return { status: stored.status, body: JSON.parse(stored.answer) as unknown };
	let isStored = false;
	const storeResponse: StoreResponse = async (transaction, { status, body }) => {
		isStored = true;
		await putClaim(transaction, claim, { status, answer: JSON.stringify(body) });
	};
	const answer = await work(storeResponse);
	if (!isStored) await storeResponse(write, answer);
	return answer;
}

/**
 * Takes an `Idempotency-Key` for a run: only its id is kept.
 *
 * @param transaction - the one that makes the run: then no crash can come between the two.
 * @throws DomainError `idempotency_conflict`.
 */
export async function claimRun(
	context: ServiceContext,
	body: unknown,
	runId: string,
	transaction: Kysely<WorkspaceTables>,
): Promise<RunClaim> {
	const claim = readClaim(context, body);
	if (claim === undefined) return { kind: "new" };
	const stored = await findClaim(transaction, claim);
	if (stored?.reference != null) return { kind: "existing", runId: stored.reference };
	await putClaim(transaction, claim, { reference: runId });
	return { kind: "new" };
}

/** Forgets keys that are older than 24 hours. */
export async function sweepIdempotency(
	database: Database<WorkspaceTables>,
	now = clock.now(),
): Promise<void> {
	await database.write.deleteFrom("idempotency").where("expires_at", "<=", now).execute();
}

const send = (context: ServiceContext, { status, body }: StoredResponse): Response =>
	// Hono's type lists the statuses that may have a body.
	context.body(JSON.stringify(body), status as 200, { "content-type": "application/json" });
