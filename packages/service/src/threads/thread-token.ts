import { timingSafeEqual } from "node:crypto";
import type { Fingerprint } from "../auth/fingerprint";

/** Lets a client key use a thread that it created. Made from the thread's id, so nothing has to be kept. */
export function createThreadToken(threadId: string, fingerprint: Fingerprint): string {
	return `tht_${fingerprint({ thread_token: threadId })}`;
}

/** Takes the same time whatever was given. */
export function isThreadToken(
	token: string | undefined,
	threadId: string,
	fingerprint: Fingerprint,
): boolean {
	const expected = Buffer.from(createThreadToken(threadId, fingerprint));
	const given = Buffer.from(token ?? "");
	return given.length === expected.length && timingSafeEqual(given, expected);
}
