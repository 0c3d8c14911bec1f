import type { AwsKeys } from "@stemma/routing/bedrock";
import { type MachineKeys, readMachineKeys } from "./read-machine-keys";

/** The AWS credentials that the machine itself has: of a role, a file or the environment. */
export interface AmbientCredentials {
	/**
	 * Those that hold now. The same promise for all who ask at the same time, and the same object until there are others.
	 *
	 * @throws ConfigurationError, code `ambient_credentials_unavailable`: which sources were asked and what to do, never
	 * what they answered.
	 */
	get(): Promise<AwsKeys>;
}

export interface AmbientCredentialsOptions {
	/** The region whose STS takes a web identity where `AWS_REGION` is not set: that of the provider's `base_url`. */
	readonly region?: string | undefined;
	/** In milliseconds since 1970. Default `Date.now`. */
	readonly now?: (() => number) | undefined;
}

/** As AWS's own libraries do. */
const EARLY_MS = 5 * 60_000;
/** After a refresh that brought nothing better, while the old keys still hold. */
const PAUSE_MS = 30_000;
/** Keys that tell no end may be rotated all the same. */
const UNDATED_MS = 15 * 60_000;

interface HeldKeys {
	readonly keys: AwsKeys;
	readonly expiresAt: number;
	/** When to ask for others. */
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
	let held: HeldKeys | undefined;
	let asking: Promise<AwsKeys> | undefined;

	async function refresh(): Promise<AwsKeys> {
		try {
			held = toHeld(await readMachineKeys({ region, now }), held?.keys, now());
		} catch (error) {
			if (held === undefined || now() >= held.expiresAt) throw error;
			held = { ...held, refreshAt: Math.min(now() + PAUSE_MS, held.expiresAt) };
		}
		return held.keys;
	}

	return {
		get() {
			if (held !== undefined && now() < held.refreshAt) return Promise.resolve(held.keys);
			asking ??= refresh().finally(() => {
				asking = undefined;
			});
			return asking;
		},
	};
}

/** @param old - stays where it is no other. */
function toHeld({ keys, expiresAt }: MachineKeys, old: AwsKeys | undefined, now: number): HeldKeys {
	const kept = old !== undefined && isSame(keys, old) ? old : keys;
	if (expiresAt === undefined) return { keys: kept, expiresAt: Infinity, refreshAt: now + UNDATED_MS };
	const refreshAt = Math.min(Math.max(expiresAt - EARLY_MS, now + PAUSE_MS), expiresAt);
	return { keys: kept, expiresAt, refreshAt };
}

const isSame = (one: AwsKeys, other: AwsKeys): boolean =>
	one.accessKeyId === other.accessKeyId &&
	one.secretAccessKey === other.secretAccessKey &&
	one.sessionToken === other.sessionToken;
