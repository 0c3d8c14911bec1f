import { timingSafeEqual } from "node:crypto";
import type { Caller } from "../auth/caller";
import type { Fingerprint } from "../auth/fingerprint";
import { createId } from "../create-id";

/**
 * The id of a new conversation. All visitors of a page share its client key, so there the id must not be guessed, nor
 * may anyone choose it: it holds a token that only the service can make.
 */
export function createContextId(caller: Caller, fingerprint: Fingerprint): string {
	const id = createId("ctx");
	return caller.kind === "client" ? id : `${id}.${toToken(id, caller, fingerprint)}`;
}

/**
 * Checks whether only the participants of a conversation can know its id. Always true for a server, which keeps its ids
 * to itself. Takes the same time for any input.
 */
export function isSecretContextId(contextId: string, caller: Caller, fingerprint: Fingerprint): boolean {
	if (caller.kind === "client") return true;
	const [id = ""] = contextId.split(".", 1);
	const expected = Buffer.from(`${id}.${toToken(id, caller, fingerprint)}`);
	const given = Buffer.from(contextId);
	return given.length === expected.length && timingSafeEqual(given, expected);
}

const toToken = (id: string, { id: key }: Caller, fingerprint: Fingerprint): string =>
	`ct_${fingerprint({ a2a_context: id, key })}`;
