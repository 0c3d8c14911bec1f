import { DomainError } from "../../errors/domain-error";
import type { ServiceContext } from "../service-context";
import { type Claim, findRecord, readClaim, toRecord } from "./idempotency-claim";
import { findInFlight, start } from "./in-flight-requests";

/** Functions that create something whose secret is shown once. */
export interface SecretCreation<Created> {
	readonly id: string;
	exists(id: string): Promise<boolean>;
	create(id: string): Promise<Created>;
}

/**
 * Makes something whose secret is shown once. Its id is kept before it is made, so that after a crash the same request
 * finishes what it began.
 *
 * @throws DomainError `already_created` with `details.id`; `idempotency_conflict`.
 */
export async function createOnce<Created>(
	context: ServiceContext,
	body: unknown,
	creation: SecretCreation<Created>,
): Promise<Created> {
	const claim = readClaim(context, body);
	if (claim === undefined) return creation.create(creation.id);
	const workspace = context.get("workspace");
	// Only the request that came first gets the secret; if that one fails, this one is the first.
	for (let inFlight = findInFlight(workspace, claim); inFlight; inFlight = findInFlight(workspace, claim))
		await inFlight.catch(() => undefined);
	return start(workspace, claim, () => createClaimed(context, claim, creation));
}

async function createClaimed<Created>(
	context: ServiceContext,
	claim: Claim,
	{ id, exists, create }: SecretCreation<Created>,
): Promise<Created> {
	const { idempotency } = context.get("workspace").store;
	const existing = await findRecord(idempotency, claim);
	const reference = existing?.reference ?? id;
	if (existing !== undefined && (existing.status !== null || (await exists(reference))))
		throw alreadyCreated(reference);
	await idempotency.replace(toRecord(claim, { reference }));
	const created = await create(reference);
	await idempotency.replace(toRecord(claim, { reference, status: 201 }));
	return created;
}

const alreadyCreated = (id: string): DomainError =>
	new DomainError(
		"already_created",
		`This request has already created "${id}", whose secret is shown only once.`,
		{
			hint: "If you lost the secret, send the request again with a new Idempotency-Key, and delete the one that was already created.",
			details: { id },
		},
	);
