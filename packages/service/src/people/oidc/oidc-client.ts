import { isLoopbackHost } from "@stemma/protocol";
import type { Configuration } from "openid-client";
import type { IssuerConfiguration } from "./issuer-configuration";
import { issuerUnavailable, signInFailed, signInRefused } from "./oidc-errors";
import type { VerifiedClaims } from "./person-claims";

/** Function that sends requests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Values that bind the response of an issuer to the browser that asked for it. */
export interface FlowValues {
	readonly state: string;
	readonly nonce: string;
	/** PKCE (RFC 7636): 43 characters. */
	readonly codeVerifier: string;
}

/** Client of one issuer: authorization code with PKCE, state and nonce. */
export interface OidcClient {
	/** Address of the issuer at which the person signs in. @throws DomainError `issuer_unavailable` */
	start(redirectUri: string, values: FlowValues): Promise<string>;
	/**
	 * Completes a sign-in, and returns the claims of its ID token, which was verified with its signature.
	 *
	 * @param callback - address that the issuer sent the browser to.
	 * @throws DomainError `issuer_unavailable`, `sign_in_refused`, `sign_in_failed`
	 */
	complete(callback: URL, values: FlowValues): Promise<VerifiedClaims>;
	/** Address at which the person signs out of the issuer, too; `undefined` where it has none. Never throws. */
	findEndSessionAddress(returnTo: string): Promise<string | undefined>;
	/** Address of the issuer's keys. @throws DomainError `issuer_unavailable` */
	getKeysAddress(): Promise<URL>;
}

const TIMEOUT_SECONDS = 10;
/** Time after which metadata of an issuer are read again. */
const METADATA_TTL_MS = 60 * 60 * 1000;
/** Codes of errors that say that an issuer cannot be reached, or has another form. */
const UNAVAILABLE: readonly string[] = [
	"OAUTH_TIMEOUT",
	"OAUTH_RESPONSE_IS_NOT_CONFORM",
	"OAUTH_RESPONSE_IS_NOT_JSON",
	"OAUTH_PARSE_ERROR",
	"OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
	"OAUTH_MISSING_SERVER_METADATA",
];

/** The library is loaded with the first sign-in. */
const load = () => import("openid-client");

/** @param now - epoch milliseconds. */
export function createOidcClient(
	configuration: IssuerConfiguration,
	fetch: Fetch,
	now: () => number,
): OidcClient {
	const discover = createDiscovery(configuration, fetch, now);
	return {
		async start(redirectUri, { state, nonce, codeVerifier }) {
			const [library, metadata] = await Promise.all([load(), discover()]);
			return library.buildAuthorizationUrl(metadata, {
				redirect_uri: redirectUri,
				scope: configuration.scopes.join(" "),
				...{ state, nonce },
				code_challenge: await library.calculatePKCECodeChallenge(codeVerifier),
				code_challenge_method: "S256",
			}).href;
		},
		async complete(callback, { state, nonce, codeVerifier }) {
			const [library, metadata] = await Promise.all([load(), discover()]);
			try {
				const tokens = await library.authorizationCodeGrant(metadata, callback, {
					expectedState: state,
					expectedNonce: nonce,
					pkceCodeVerifier: codeVerifier,
					idTokenExpected: true,
				});
				const claims = tokens.claims();
				if (claims === undefined) throw new Error("The issuer sent no ID token.");
				// The library takes some vendors' issuers of other tenants for the configured one.
				if (claims.iss !== configuration.issuer) throw new Error("The ID token is of another issuer.");
				return claims;
			} catch (error) {
				if (error instanceof library.AuthorizationResponseError) throw signInRefused(configuration, error);
				throw isUnavailable(error) ? issuerUnavailable(configuration, error) : signInFailed(error);
			}
		},
		async findEndSessionAddress(returnTo) {
			try {
				const [library, metadata] = await Promise.all([load(), discover()]);
				if (metadata.serverMetadata().end_session_endpoint === undefined) return undefined;
				return library.buildEndSessionUrl(metadata, { post_logout_redirect_uri: returnTo }).href;
			} catch {
				// The session here ends all the same.
				return undefined;
			}
		},
		async getKeysAddress() {
			const { jwks_uri } = (await discover()).serverMetadata();
			if (jwks_uri === undefined) throw issuerUnavailable(configuration);
			return new URL(jwks_uri);
		},
	};
}

/** Reads the metadata of an issuer, and keeps them for an hour. */
function createDiscovery(
	configuration: IssuerConfiguration,
	fetch: Fetch,
	now: () => number,
): () => Promise<Configuration> {
	let known: { readonly metadata: Promise<Configuration>; readonly readAt: number } | undefined;

	return async () => {
		if (known !== undefined && now() - known.readAt < METADATA_TTL_MS) return known.metadata;
		const metadata = readMetadata(configuration, fetch).catch((error: unknown) => {
			throw issuerUnavailable(configuration, error);
		});
		const current = { metadata, readAt: now() };
		known = current;
		try {
			return await metadata;
		} catch (error) {
			if (known === current) known = undefined;
			throw error;
		}
	};
}

async function readMetadata(
	{ issuer, clientId, clientSecret }: IssuerConfiguration,
	fetch: Fetch,
): Promise<Configuration> {
	const library = await load();
	const address = new URL(issuer);
	const isLocal = address.protocol === "http:" && isLoopbackHost(address.host);
	return library.discovery(
		address,
		clientId,
		undefined,
		clientSecret === undefined ? library.None() : library.ClientSecretPost(clientSecret.reveal()),
		{
			timeout: TIMEOUT_SECONDS,
			// The library sends forms alone; its type allows what the platform's does not.
			[library.customFetch]: (url, init) => fetch(url, init as RequestInit),
			execute: [
				// Signatures of ID tokens are verified, although they come over TLS from the issuer itself.
				library.enableNonRepudiationChecks,
				...(isLocal ? [library.allowInsecureRequests] : []),
			],
		},
	);
}

function isUnavailable(error: unknown): boolean {
	if (error instanceof TypeError) return true;
	return error instanceof Error && "code" in error && UNAVAILABLE.includes(String(error.code));
}
