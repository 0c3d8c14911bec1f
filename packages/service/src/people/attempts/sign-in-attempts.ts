import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { clock } from "@stemma/core/internal";
import type { UsedTokens } from "../used-tokens";

/** Attempt to sign in, or to add a passkey, which a browser has begun. */
export interface SignInAttempt {
	/**
	 * Derives the value of a name, base64url of 256 bit: a challenge, a state, a nonce. Whoever does not have the secret of
	 * the attempt cannot guess it.
	 */
	derive(name: string): string;
}

/** Attempt that has just begun. */
export interface StartedAttempt extends SignInAttempt {
	/** Secret for a cookie of the browser; the service keeps nothing of it. */
	readonly secret: string;
}

/** Attempts to sign in. Nothing is stored until one is completed, so that nobody can fill a memory by beginning many. */
export interface SignInAttempts {
	/** @param purpose - what it is good for: `passkey`, or an issuer. */
	start(purpose: string, ttlMs: number): StartedAttempt;
	/** Finds an attempt for the same purpose that has not expired; `undefined` for all others. */
	find(purpose: string, secret: string | undefined): SignInAttempt | undefined;
	/** Completes an attempt. @returns whether it was good: of two requests with one attempt, one gets true. */
	complete(purpose: string, secret: string | undefined): Promise<boolean>;
}

const KEY_BYTES = 32;
const SECRET = /^([\w-]{43})\.(\d{13,16})\.([\w-]{43})$/;

/**
 * Creates the attempts of a deployment: one that was begun on an instance can be completed on another.
 *
 * @param key - secret of the deployment, which signs the attempts.
 */
export function createSignInAttempts(
	key: Uint8Array,
	used: Pick<UsedTokens, "use">,
	now: () => number = clock.now,
): SignInAttempts {
	const sign = (...parts: readonly string[]): Buffer =>
		createHmac("sha256", key).update(JSON.stringify(parts)).digest();

	function isActive(purpose: string, secret: string): boolean {
		const [, random = "", expiresAt = "", signature = ""] = SECRET.exec(secret) ?? [];
		const expected = sign("attempt", purpose, random, expiresAt);
		const given = Buffer.from(signature, "base64url");
		if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
		return Number(expiresAt) > now();
	}
	const toAttempt = (purpose: string, secret: string): SignInAttempt => ({
		derive: (name) => sign("derived", purpose, secret, name).toString("base64url"),
	});
	return {
		start(purpose, ttlMs) {
			const random = randomBytes(KEY_BYTES).toString("base64url");
			const expiresAt = String(now() + ttlMs);
			const signature = sign("attempt", purpose, random, expiresAt).toString("base64url");
			const secret = `${random}.${expiresAt}.${signature}`;
			return { secret, ...toAttempt(purpose, secret) };
		},
		find: (purpose, secret) =>
			secret !== undefined && isActive(purpose, secret) ? toAttempt(purpose, secret) : undefined,
		async complete(purpose, secret) {
			if (secret === undefined || !isActive(purpose, secret)) return false;
			const [random = "", expiresAt = ""] = secret.split(".");
			return used.use(`attempt ${random}`, Number(expiresAt));
		},
	};
}
