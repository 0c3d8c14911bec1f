import { createHmac } from "node:crypto";

/** Recognises a value without keeping it: the same for equal JSON, whatever the order of its fields. */
export type Fingerprint = (value: unknown) => string;

/** @param secret - of the deployment: without it nobody can try out what a body was. */
export const createFingerprint =
	(secret: Uint8Array): Fingerprint =>
	(value) =>
		createHmac("sha256", secret).update(toCanonicalJson(value)).digest("base64url");

const toCanonicalJson = (value: unknown): string =>
	JSON.stringify(value, (_, part: unknown) => (isPlainObject(part) ? sortFields(part) : part)) ?? "undefined";

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

const sortFields = (object: Record<string, unknown>): object =>
	Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));
