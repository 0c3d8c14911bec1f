import type { DefaultProviderInit } from "@aws-sdk/credential-provider-node";
import type { AwsKeys } from "@stemma/routing/bedrock";
import { getSource, type SourceTracker, trackSources } from "./credential-sources";
import { type AmbientFailure, toCredentialsUnavailableError } from "./credentials-unavailable-error";

/** Options of reading the machine's AWS credentials by AWS's provider chain, each source within its own limit. */
export interface LoadAmbientKeysOptions {
	/** Region whose STS is called where `AWS_REGION` is not set. */
	readonly region?: string | undefined;
	/** Clock, in milliseconds since 1970. Default `Date.now`. */
	readonly now?: (() => number) | undefined;
	/** Time limit, in place of each source's own limit. */
	readonly limitMs?: number | undefined;
}

export interface AmbientKeys {
	readonly keys: AwsKeys;
	/** Time of expiry, in milliseconds since 1970; undefined where the source reports none. */
	readonly expiresAt: number | undefined;
}

/** Timeout of one request to a metadata service, which sends whole responses at once. */
const METADATA_TIMEOUT_MS = 1000;

/**
 * Asks the sources of this machine once, in the order of AWS's provider chain. Nothing is kept between two calls. The
 * chain, and what it reads of the process's environment, is AWS's own.
 *
 * @throws ConfigurationError, code `ambient_credentials_unavailable`.
 */
export async function loadAmbientKeys(options: LoadAmbientKeysOptions = {}): Promise<AmbientKeys> {
	const { now = Date.now } = options;
	const { defaultProvider } = await import("@aws-sdk/credential-provider-node");
	const deadline = Promise.withResolvers<AmbientFailure>();
	let timer: NodeJS.Timeout | undefined;
	const tracker = trackSources((name) => {
		clearTimeout(timer);
		const limitMs = options.limitMs ?? getSource(name).limitMs;
		timer = setTimeout(() => deadline.resolve({ kind: "timeout", limitMs }), limitMs);
	});
	const loaded = defaultProvider(toChainOptions(options, tracker.logger))().then(
		(identity) => toAmbientKeys(identity, now()),
		(error: unknown): AmbientFailure => ({ kind: "failed", error }),
	);
	const result = await Promise.race([loaded, deadline.promise]);
	tracker.stop();
	clearTimeout(timer);
	if ("kind" in result) throw toCredentialsUnavailableError(result, tracker);
	return result;
}

const toChainOptions = (
	{ region, limitMs = getSource("fromTokenFile").limitMs }: LoadAmbientKeysOptions,
	logger: SourceTracker["logger"],
): DefaultProviderInit => ({
	logger,
	timeout: METADATA_TIMEOUT_MS,
	maxRetries: 0,
	// Version 1 answers whoever makes this process send a request.
	ec2MetadataV1Disabled: true,
	// Files are rotated while the process runs.
	ignoreCache: true,
	parentClientConfig: {
		...(region !== undefined && !process.env.AWS_REGION && { region }),
		// Of STS, which is asked a second time within the limit.
		requestHandler: {
			connectionTimeout: limitMs / 4,
			requestTimeout: limitMs / 2,
			throwOnRequestTimeout: true,
		},
	},
});

/** Credentials in the shape that the chain returns. */
interface AwsIdentity {
	readonly accessKeyId: string;
	readonly secretAccessKey: string;
	readonly sessionToken?: string | undefined;
	readonly expiration?: Date | undefined;
}

function toAmbientKeys(identity: AwsIdentity, now: number): AmbientKeys | AmbientFailure {
	const { accessKeyId, secretAccessKey, sessionToken, expiration } = identity;
	const parts: readonly unknown[] = [accessKeyId, secretAccessKey, sessionToken ?? "-"];
	if (!parts.every(isHeaderSafe))
		return { kind: "unusable", problem: "are empty, or not ASCII without blanks" };
	const expiresAt = expiration?.getTime();
	if (Number.isNaN(expiresAt)) return { kind: "unusable", problem: "have an expiry date that is not a date" };
	if (expiresAt !== undefined && expiresAt <= now) return { kind: "unusable", problem: "have expired" };
	return {
		keys: { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) },
		expiresAt,
	};
}

/**
 * Checks whether a part of the keys can be sent in a header. A value that cannot be sent would be repeated in the
 * platform's error.
 */
const isHeaderSafe = (part: unknown): boolean => typeof part === "string" && /^[!-~]+$/.test(part);
