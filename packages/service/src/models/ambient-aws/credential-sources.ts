/** Source of AWS's provider chain; the chain asks them in order. */
export type CredentialSource = keyof typeof SOURCES;

interface SourceDescription {
	readonly title: string;
	/** The variables and files that lead there. */
	readonly settings?: string;
	/** Hint for the case that this source should have had credentials. */
	readonly hint: string;
	/** Time limit for the source. Metadata services are close to the machine; STS and programs may be slow. */
	readonly limitMs: number;
}

const CHECK_PROFILE =
	"Check the profile: `aws sts get-caller-identity` must work for the user that the service runs as.";

/** Sources by the names that the chain logs. */
const SOURCES = {
	fromEnv: {
		title: "the environment",
		settings: "`AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`",
		hint: "Set `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, for temporary keys, `AWS_SESSION_TOKEN` again.",
		limitMs: 10_000,
	},
	fromIni: {
		title: "the shared files",
		settings: "`~/.aws`, `AWS_PROFILE`",
		hint: CHECK_PROFILE,
		limitMs: 10_000,
	},
	fromProcess: {
		title: "the profile's `credential_process`",
		hint: CHECK_PROFILE,
		limitMs: 10_000,
	},
	fromTokenFile: {
		title: "the web identity",
		settings: "`AWS_WEB_IDENTITY_TOKEN_FILE`, `AWS_ROLE_ARN`",
		hint: "Check that the role trusts the identity provider and this service account, and that STS can be reached from here.",
		limitMs: 10_000,
	},
	"fromHttp/fromContainerMetadata": {
		title: "the container's endpoint",
		settings: "`AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`, `AWS_CONTAINER_CREDENTIALS_FULL_URI`",
		hint: "Check that the task has a task role (ECS), or the service account a pod identity association and the node its agent (EKS).",
		limitMs: 2_500,
	},
	fromInstanceMetadata: {
		title: "the instance metadata service",
		hint: "In a container on EC2, the metadata needs a hop limit of 2. Attach a role to the instance, name a profile in `AWS_PROFILE`, or set keys in the environment.",
		limitMs: 2_500,
	},
} as const satisfies Readonly<Record<string, SourceDescription>>;

export const getSource = (name: CredentialSource): SourceDescription => SOURCES[name];

/** Name that the chain logs at its end where the metadata service is switched off too. */
const LAST_SOURCE_LOG_NAME = "remoteProvider";

/** Sources that were asked, in order; `isExhausted` where all but the metadata services were asked. */
export interface TriedSources {
	readonly names: readonly CredentialSource[];
	readonly isExhausted: boolean;
}

export interface SourceTracker extends TriedSources {
	/** Logger for the chain's log lines. Nothing is written to the log of the service. */
	readonly logger: {
		debug(...content: readonly unknown[]): void;
		info(): void;
		warn(): void;
		error(): void;
	};
	/** No source is told of any more. */
	stop(): void;
}

/**
 * Follows the chain from source to source: the error that ends it does not say where it was.
 *
 * @param onSource - called as each is asked.
 */
export function trackSources(onSource: (name: CredentialSource) => void): SourceTracker {
	const names: CredentialSource[] = [];
	let isExhausted = false;
	let isStopped = false;
	const debug = (line: unknown): void => {
		const name = /credential-provider-node - \w+::(\S+)$/.exec(String(line))?.[1] ?? "";
		if (name === LAST_SOURCE_LOG_NAME) isExhausted = true;
		if (isStopped || !Object.hasOwn(SOURCES, name)) return;
		names.push(name as CredentialSource);
		onSource(name as CredentialSource);
	};
	const ignore = (): void => {};
	return {
		names,
		get isExhausted() {
			return isExhausted;
		},
		logger: { debug, info: ignore, warn: ignore, error: ignore },
		stop() {
			isStopped = true;
		},
	};
}
