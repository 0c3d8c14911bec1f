import { clock } from "@stemma/core/internal";
import type { InsertRun } from "../../runs/run-requests";
import type { IdempotencyRecord, IdempotencyRepository } from "../../store/idempotency-repository";
import type { TurnRequestRecord } from "../../threads/new-turn";
import type { ServiceContext } from "../service-context";
import { assertSameRequest, type Claim, readClaim, toRecord } from "./idempotency-claim";
import { findInFlight, start } from "./in-flight-requests";

/** Response of a route, stored so that it can be sent again. */
export interface StoredResponse {
	readonly status: number;
	/** JSON. */
	readonly body: unknown;
	/** Id of what the response tells of, with which the stored response is deleted. Default none. */
	readonly reference?: string | undefined;
}

/**
 * Record of a response, to be stored in the transaction that makes what the response tells of: then a crash cannot come
 * between the two. `undefined` where the request has no key.
 */
export type ToRecord = (response: StoredResponse) => IdempotencyRecord | undefined;

/**
 * Runs the work of a request that may be sent twice: the same key, caller, route and body give the same response for 24
 * hours; a request waits for work that is in flight. Work that fails is not stored, so it can be retried.
 *
 * @param body - what the request asks for, as JSON; of a multipart body, a value that represents it.
 * @param work - may store the record of its response itself; otherwise it is stored once the work is done.
 * @param present - converts the body of a response before it is sent; what it adds is not stored.
 * @throws DomainError `idempotency_conflict` for the same key with another body.
 */
export async function withIdempotency(
	context: ServiceContext,
	body: unknown,
	work: (toRecord: ToRecord) => Promise<StoredResponse>,
	present: (body: unknown) => unknown = (stored) => stored,
): Promise<Response> {
	const send = ({ status, body }: StoredResponse) => toResponse(context, { status, body: present(body) });
	const claim = readClaim(context, body);
	if (claim === undefined) return send(await work(() => undefined));
	const workspace = context.get("workspace");
	const inFlight = findInFlight(workspace, claim) as Promise<StoredResponse> | undefined;
	return send(await (inFlight ?? start(workspace, claim, () => runOnce(context, claim, work))));
}

async function runOnce(
	context: ServiceContext,
	claim: Claim,
	work: (toRecord: ToRecord) => Promise<StoredResponse>,
): Promise<StoredResponse> {
	const { idempotency } = context.get("workspace").store;
	const stored = await findResponse(idempotency, claim);
	if (stored?.answer != null && stored.status !== null)
		return { status: stored.status, body: JSON.parse(stored.answer) as unknown };
	const toResponseRecord = ({ status, body, reference }: StoredResponse): IdempotencyRecord =>
		toRecord(claim, { status, answer: JSON.stringify(body), reference: reference ?? null });
	let isStored = false;
	const response = await work((stored) => {
		isStored = true;
		return toResponseRecord(stored);
	});
	if (!isStored && (await isStillThere(context))) await idempotency.replace(toResponseRecord(response));
	return response;
}

/** Checks whether the person of a request was not removed meanwhile: their data may be deleted already. */
async function isStillThere(context: ServiceContext): Promise<boolean> {
	const caller = context.get("caller");
	if (caller.kind !== "user") return true;
	const { sessions } = context.get("kernel").people;
	return (await sessions.findMember(caller.workspaceId, caller.id)) !== undefined;
}

/**
 * Finds the record of a request with its response. One that has none yet hands nothing over, whoever sends it.
 *
 * @throws DomainError `idempotency_conflict`.
 */
async function findResponse(
	repository: IdempotencyRepository,
	claim: Claim,
): Promise<IdempotencyRecord | undefined> {
	const record = await repository.find(claim, clock.now());
	if (record === undefined) return undefined;
	assertSameRequest(record, record.answer === null ? { ...claim, isShared: false } : claim);
	return record;
}

/**
 * Notes the question of a request in a thread, so that the same request appends it once. Whoever sends it has the token of
 * the thread: the question is theirs. `undefined` for a request without an `Idempotency-Key`.
 */
export function readTurnRecord(context: ServiceContext, body: unknown): TurnRequestRecord | undefined {
	const claim = readClaim(context, body);
	return (
		claim && {
			toRecord: (reference) => toRecord(claim, { reference }),
			assertSame: (stored) => assertSameRequest(stored, { ...claim, isShared: false }),
		}
	);
}

/**
 * Stores a run with the `Idempotency-Key` of its request, of which only the id of the run is kept.
 *
 * @returns what throws DomainError `idempotency_conflict`.
 */
export const insertRunOnce =
	(context: ServiceContext, body: unknown): InsertRun =>
	async (run, admit) => {
		const { runs } = context.get("workspace").store;
		const claim = readClaim(context, body);
		if (claim === undefined) return runs.insert(run, admit);
		const inserted = await runs.insert(run, admit, toRecord(claim, { reference: run.id }));
		if (inserted.kind === "existing") assertSameRequest(inserted.request, claim);
		return inserted;
	};

const toResponse = (context: ServiceContext, { status, body }: StoredResponse): Response =>
	// Hono's type lists the statuses that may have a body.
	context.body(JSON.stringify(body), status as 200, { "content-type": "application/json" });
