import type { Kysely } from "kysely";
import type { WorkspaceTables } from "../store/workspace-tables";
import { ApiError } from "./api-error";
import type { IdempotencyTable } from "./idempotency-tables";
import type { ServiceContext } from "./service-app";

/** A request with an `Idempotency-Key`, as the store remembers it. */
export type Claim = Pick<IdempotencyTable, "caller_id" | "route" | "key" | "body_fingerprint">;

const KEPT_MS = 24 * 60 * 60 * 1000;
const PRINTABLE = /^[\x20-\x7e]{1,200}$/;

/** Nothing for a request without a key. @throws ApiError for a key that cannot be one. */
export function readClaim(context: ServiceContext, body: unknown): Claim | undefined {
	const key = context.req.header("idempotency-key");
	if (key === undefined) return undefined;
	if (!PRINTABLE.test(key))
		throw new ApiError(
			400,
			"invalid_request",
			"Idempotency-Key must be 1 to 200 printable ASCII characters.",
			{
				param: "idempotency-key",
			},
		);
	return {
		caller_id: context.get("caller").id,
		route: `${context.req.method} ${context.req.path}`,
		key,
		body_fingerprint: context.get("kernel").fingerprint(body),
	};
}

/** What is known of a request. @throws ApiError `idempotency_conflict` where it came with another body. */
export async function findClaim(
	database: Kysely<WorkspaceTables>,
	claim: Claim,
): Promise<IdempotencyTable | undefined> {
	const row = await database
		.selectFrom("idempotency")
		.selectAll()
		.where("caller_id", "=", claim.caller_id)
		.where("route", "=", claim.route)
		.where("key", "=", claim.key)
		.where("expires_at", ">", Date.now())
		.executeTakeFirst();
	if (row !== undefined) demandSameBody(row, claim);
	return row;
}

/** Remembers a request for 24 hours. */
export async function putClaim(
	database: Kysely<WorkspaceTables>,
	claim: Claim,
	known: Partial<Pick<IdempotencyTable, "reference" | "status" | "answer">>,
): Promise<void> {
	const { reference = null, status = null, answer = null } = known;
	await database
		.replaceInto("idempotency")
		.values({ ...claim, reference, status, answer, expires_at: Date.now() + KEPT_MS })
		.execute();
}

/** @throws ApiError `idempotency_conflict`. */
export function demandSameBody(known: Pick<Claim, "body_fingerprint">, { body_fingerprint }: Claim): void {
	if (known.body_fingerprint === body_fingerprint) return;
	throw new ApiError(409, "idempotency_conflict", "This Idempotency-Key was used with another body.", {
		hint: "Use a new key for each new request, and the same key only to send the same request again.",
		param: "idempotency-key",
	});
}
