import type { AwsKeys } from "@stemma/routing/bedrock";
import { type AmbientKeys, loadAmbientKeys } from "./load-ambient-keys";

/** The AWS credentials that the machine itself has: of a role, a file or the environment. */
export interface AmbientCredentials {
	/**
	 * Returns the keys that are valid now. Concurrent callers get the same promise, and everyone gets the same object
	 * until the keys change.
	 *
	 * @throws ConfigurationError, code `ambient_credentials_unavailable`: which sources were asked and what to do,
	 * never what they answered.
	 */
	get(): Promise<AwsKeys>;
}

export interface AmbientCredentialsOptions {
	/** The region whose STS takes a web identity where `AWS_REGION` is not set: that of the provider's `base_url`. */
	readonly region?: string | undefined;
	/** Clock, in milliseconds since 1970. Default `Date.now`. */
	readonly now?: (() => number) | undefined;
}

/** Time before expiry at which keys are refreshed, the same as in AWS's own libraries. */
const REFRESH_BEFORE_EXPIRY_MS = 5 * 60_000;
/** Wait after a refresh that brought nothing better, while the old keys are still valid. */
const REFRESH_RETRY_MS = 30_000;
/** Keys that tell no end may be rotated all the same. */
const DEFAULT_KEY_TTL_MS = 15 * 60_000;

interface CachedKeys {
	readonly keys: AwsKeys;
	readonly expiresAt: number;
	/** Time of the next refresh, in milliseconds since 1970. */
	readonly refreshAt: number;
}

/**
 * Finds the credentials of this machine by AWS's provider chain, the first time they are asked for, and refreshes them
 * five minutes before they expire. A refresh that fails is survived as long as the old ones hold.
 *
 * The chain reads the environment of the process; it is not loaded before it is used.
 */
export function createAmbientCredentials(options: AmbientCredentialsOptions = {}): AmbientCredentials {
	const { region, now = Date.now } = options;
	let cached: CachedKeys | undefined;
	let refreshing: Promise<AwsKeys> | undefined;

	async function refresh(): Promise<AwsKeys> {
		try {
			cached = toCachedKeys(await loadAmbientKeys({ region, now }), cached?.keys, now());
		} catch (error) {
			if (cached === undefined || now() >= cached.expiresAt) throw error;
			cached = { ...cached, refreshAt: Math.min(now() + REFRESH_RETRY_MS, cached.expiresAt) };
		}
		return cached.keys;
	}

	return {
		get() {
			if (cached !== undefined && now() < cached.refreshAt) return Promise.resolve(cached.keys);
			refreshing ??= refresh().finally(() => {
				refreshing = undefined;
			});
			return refreshing;
		},
	};
}

/** @param previous - stays where it is no other. */
function toCachedKeys(
	{ keys, expiresAt }: AmbientKeys,
	previous: AwsKeys | undefined,
	now: number,
): CachedKeys {
	const kept = previous !== undefined && areKeysEqual(keys, previous) ? previous : keys;
	if (expiresAt === undefined)
		return { keys: kept, expiresAt: Infinity, refreshAt: now + DEFAULT_KEY_TTL_MS };
	const refreshAt = Math.min(
		Math.max(expiresAt - REFRESH_BEFORE_EXPIRY_MS, now + REFRESH_RETRY_MS),
		expiresAt,
	);
	return { keys: kept, expiresAt, refreshAt };
}

const areKeysEqual = (one: AwsKeys, other: AwsKeys): boolean =>
	one.accessKeyId === other.accessKeyId &&
	one.secretAccessKey === other.secretAccessKey &&
	one.sessionToken === other.sessionToken;
