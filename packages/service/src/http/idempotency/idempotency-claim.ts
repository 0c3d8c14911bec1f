import { clock } from "@stemma/core/internal";
import { readIdempotencyKey } from "@stemma/protocol";
import type { Fingerprint } from "../../auth/fingerprint";
import { DomainError } from "../../errors/domain-error";
import type { IdempotencyRecord, IdempotencyRepository } from "../../store/idempotency-repository";
import { readVisitor } from "../auth/visitor";
import type { ServiceContext } from "../service-context";

/** A request with an `Idempotency-Key`, as the store remembers it. */
export interface Claim extends Pick<IdempotencyRecord, "caller_id" | "route" | "key" | "body_fingerprint"> {
	/** Others have the same caller id, and may know the key: nothing is handed over by it. */
	readonly isShared: boolean;
}

const IDEMPOTENCY_TTL_MS = 24 * 60 * 60 * 1000;

/**
 * Reads the idempotency claim of a request; `undefined` for a request without a key.
 *
 * @throws DomainError for a key, or a visitor's secret, that cannot be one.
 */
export function readClaim(context: ServiceContext, body: unknown): Claim | undefined {
	const key = readIdempotencyKey(context.req.header("idempotency-key"));
	if (key === undefined) return undefined;
	const { fingerprint } = context.get("kernel");
	return {
		...toClaimOwner(context, fingerprint),
		route: `${context.req.method} ${context.req.path}`,
		key,
		body_fingerprint: fingerprint(body),
	};
}

/**
 * All visitors of a page have its client key, and may send the same idempotency keys. They are told apart by a secret of
 * their own; without one, a key that was used is refused to whoever sends it again.
 */
export function toClaimOwner(
	context: ServiceContext,
	fingerprint: Fingerprint,
): Pick<Claim, "caller_id" | "isShared"> {
	const { id, kind } = context.get("caller");
	if (kind !== "client_key") return { caller_id: id, isShared: false };
	const visitor = readVisitor(context);
	if (visitor === undefined) return { caller_id: id, isShared: true };
	return { caller_id: `${id} ${fingerprint({ visitor })}`, isShared: false };
}

/**
 * Finds the stored record of a request.
 *
 * @throws DomainError `idempotency_conflict`; see {@link assertSameRequest}.
 */
export async function findRecord(
	repository: IdempotencyRepository,
	claim: Claim,
): Promise<IdempotencyRecord | undefined> {
	const record = await repository.find(claim, clock.now());
	if (record !== undefined) assertSameRequest(record, claim);
	return record;
}

/** Record of a request, which is remembered for 24 hours. */
export const toRecord = (
	{ isShared: _, ...claim }: Claim,
	outcome: Partial<Pick<IdempotencyRecord, "reference" | "status" | "answer">>,
): IdempotencyRecord => ({
	...claim,
	reference: null,
	status: null,
	answer: null,
	...outcome,
	expires_at: clock.now() + IDEMPOTENCY_TTL_MS,
});

/** @throws DomainError `idempotency_conflict` for another body, and where it may be another visitor's request. */
export function assertSameRequest(
	stored: Pick<Claim, "body_fingerprint">,
	{ body_fingerprint, isShared }: Claim,
): void {
	if (isShared)
		throw new DomainError("idempotency_conflict", "This Idempotency-Key was used with this client key.", {
			hint: "To repeat a request with a client key, send the same secret of the visitor with both requests: 32 random hexadecimal characters in the header stemma-visitor.",
			param: "stemma-visitor",
		});
	if (stored.body_fingerprint === body_fingerprint) return;
	throw new DomainError("idempotency_conflict", "This Idempotency-Key was used with another body.", {
		hint: "Use a new key for each new request, and the same key only to send the same request again.",
		param: "idempotency-key",
	});
}
