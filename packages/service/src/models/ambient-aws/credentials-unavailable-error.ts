import { ConfigurationError } from "@stemma/core/errors";
import { type CredentialSource, getSource, type TriedSources } from "./credential-sources";

/** Failure to get keys. */
export type AmbientFailure =
	| { readonly kind: "timeout"; readonly limitMs: number }
	/** `problem`: what is wrong with the keys, after "gave keys that". */
	| { readonly kind: "unusable"; readonly problem: string }
	/** `error`: what the chain threw, of which only known codes are told. */
	| { readonly kind: "failed"; readonly error: unknown };

const ALTERNATIVE_HINT =
	"Or give the provider a `credential` of its own, and leave `aws.allowAmbientCredentials` out.";

/**
 * Creates an error with the code `ambient_credentials_unavailable`. It has no `cause`: a source's response may hold a
 * secret, and errors of the chain may repeat it.
 */
export function toCredentialsUnavailableError(
	failure: AmbientFailure,
	tried: TriedSources,
): ConfigurationError {
	const source = findFailedSource(failure, tried);
	const error = new ConfigurationError(
		`This machine gives no AWS credentials: ${describe(failure, source)}. Asked in this order: ${describeSources(tried)}.`,
		{ code: "ambient_credentials_unavailable", hint: `${getSource(source).hint} ${ALTERNATIVE_HINT}` },
	);
	// No vendor was called, so there is no row on a receipt.
	return Object.assign(error, { attempts: 0 });
}

/** The last that was asked; at the end of the chain, where all had their turn, the one that was meant. */
function findFailedSource({ kind }: AmbientFailure, { names, isExhausted }: TriedSources): CredentialSource {
	if (kind === "failed" && isExhausted && isProfileSet(names)) return "fromIni";
	if (kind === "failed" && isExhausted && !isMetadataTried(names)) return "fromEnv";
	return names.at(-1) ?? "fromEnv";
}

function describe(failure: AmbientFailure, source: CredentialSource): string {
	const { title } = getSource(source);
	if (failure.kind === "timeout") return `${title} did not answer within ${failure.limitMs / 1000} s`;
	if (failure.kind === "unusable") return `${title} gave keys that ${failure.problem}`;
	return (source === "fromTokenFile" && describeStsFailure(failure.error)) || `${title} gave none`;
}

/** Error codes of STS, from its API reference (`AssumeRoleWithWebIdentity` and common errors). */
const STS_CODE =
	/^(AccessDenied|ExpiredToken|IDPCommunicationError|IDPRejectedClaim|InvalidIdentityToken|RegionDisabled|Throttling|ValidationError)(Exception)?$/;

function describeStsFailure(error: unknown): string | undefined {
	const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
	if (typeof name === "string" && STS_CODE.test(name)) return `STS refused the web identity with \`${name}\``;
	if (code === "ENOENT" || code === "EACCES")
		return "the file that `AWS_WEB_IDENTITY_TOKEN_FILE` names cannot be read";
	if (typeof code === "string" && /^E[A-Z]+$/.test(code)) return `STS cannot be reached (\`${code}\`)`;
	return undefined;
}

function describeSources({ names, isExhausted }: TriedSources): string {
	const labels = names.map((name) => {
		const { title, settings } = getSource(name);
		return settings === undefined ? title : `${title} (${settings})`;
	});
	if (isProfileSet(names)) labels.unshift("not the environment, because `AWS_PROFILE` is set");
	if (isExhausted && !isMetadataTried(names))
		labels.push("not the instance metadata service, because `AWS_EC2_METADATA_DISABLED` is set");
	return labels.join("; ");
}

/** The chain passes over the environment's keys then. */
const isProfileSet = (names: readonly CredentialSource[]): boolean => names[0] !== "fromEnv";

const isMetadataTried = (names: readonly CredentialSource[]): boolean =>
	names.some((name) => name.endsWith("Metadata"));
