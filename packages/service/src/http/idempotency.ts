import { clock } from "@stemma/core/internal";
import type { Kysely } from "kysely";
import type { Database } from "../store/database";
import type { WorkspaceTables } from "../store/workspace-tables";
import { type Claim, findClaim, putClaim, readClaim } from "./idempotency-claim";
import { begin, findRunning } from "./running-work";
import type { ServiceContext } from "./service-app";

/** What a route answers with, so that it can be answered again. */
export interface KeptAnswer {
	readonly status: number;
	/** JSON. */
	readonly body: unknown;
}

/**
 * Keeps an answer in the same transaction as what it tells of: then a crash cannot come between the two. Nothing
 * happens where the request has no key.
 */
export type KeepAnswer = (transaction: Kysely<WorkspaceTables>, answer: KeptAnswer) => Promise<void>;

/**
 * Does the work of a request that may be sent twice: the same key, caller, route and body give the same answer for 24
 * hours; work that is under way is waited for. Work that fails is not kept, so it can be tried again.
 *
 * @param body - what the request asks for, as JSON; of a multipart body, what stands for it.
 * @param work - may call `keep` itself; else its answer is kept when it is there.
 * @throws ApiError `idempotency_conflict` for the same key with another body.
 */
export async function withIdempotency(
	context: ServiceContext,
	body: unknown,
	work: (keep: KeepAnswer) => Promise<KeptAnswer>,
): Promise<Response> {
	const claim = readClaim(context, body);
	if (claim === undefined) return send(context, await work(async () => undefined));
	const workspace = context.get("workspace");
	const found = findRunning(workspace, claim) as Promise<KeptAnswer> | undefined;
	return send(context, await (found ?? begin(workspace, claim, () => workOnce(context, claim, work))));
}

async function workOnce(
	context: ServiceContext,
	claim: Claim,
	work: (keep: KeepAnswer) => Promise<KeptAnswer>,
): Promise<KeptAnswer> {
	const { write } = context.get("workspace").database;
	const known = await findClaim(write, claim);
	if (known?.answer != null && known.status !== null)
		return { status: known.status, body: JSON.parse(known.answer) as unknown };
	let isKept = false;
	const keep: KeepAnswer = async (transaction, { status, body }) => {
		isKept = true;
		await putClaim(transaction, claim, { status, answer: JSON.stringify(body) });
	};
	const answer = await work(keep);
	if (!isKept) await keep(write, answer);
	return answer;
}

/** What became of a request to start something under an id. */
export type RunClaim =
	| { readonly kind: "new" }
	/** The same request has started this one. */
	| { readonly kind: "run"; readonly runId: string };

/**
 * Takes an `Idempotency-Key` for a run: only its id is kept.
 *
 * @param transaction - the one that makes the run: then no crash can come between the two.
 * @throws ApiError `idempotency_conflict`.
 */
export async function claimRun(
	context: ServiceContext,
	body: unknown,
	runId: string,
	transaction: Kysely<WorkspaceTables>,
): Promise<RunClaim> {
	const claim = readClaim(context, body);
	if (claim === undefined) return { kind: "new" };
	const known = await findClaim(transaction, claim);
	if (known?.reference != null) return { kind: "run", runId: known.reference };
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

const send = (context: ServiceContext, { status, body }: KeptAnswer): Response =>
	// Hono's type lists the statuses that may have a body.
	context.body(JSON.stringify(body), status as 200, { "content-type": "application/json" });
