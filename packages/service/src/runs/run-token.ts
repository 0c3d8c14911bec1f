import { timingSafeEqual } from "node:crypto";
import type { Fingerprint } from "../auth/fingerprint";

/** Lets a client key read, rejoin and cancel a run that it started. Made from the run's id, so nothing has to be kept. */
export function createRunToken(runId: string, fingerprint: Fingerprint): string {
	return `rt_${fingerprint({ run_token: runId })}`;
}

/** Takes the same time whatever was given. */
export const isRunToken = (token: string | undefined, runId: string, fingerprint: Fingerprint): boolean =>
	isSameToken(token, createRunToken(runId, fingerprint));

/** Compares a token with the one that it should be, in the same time whatever was given. */
export function isSameToken(token: string | undefined, expectedToken: string): boolean {
	const expected = Buffer.from(expectedToken);
	const given = Buffer.from(token ?? "");
	return given.length === expected.length && timingSafeEqual(given, expected);
}
