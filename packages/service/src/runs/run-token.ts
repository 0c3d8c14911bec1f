import { timingSafeEqual } from "node:crypto";
import type { Fingerprint } from "../auth/fingerprint";

/** Lets a client key read, rejoin and cancel a run that it started. Made from the run's id, so nothing has to be kept. */
export function createRunToken(runId: string, fingerprint: Fingerprint): string {
	return `rt_${fingerprint({ run_token: runId })}`;
}

/** Takes the same time whatever was given. */
export function isRunToken(token: string | undefined, runId: string, fingerprint: Fingerprint): boolean {
	const expected = Buffer.from(createRunToken(runId, fingerprint));
	const given = Buffer.from(token ?? "");
	return given.length === expected.length && timingSafeEqual(given, expected);
}
