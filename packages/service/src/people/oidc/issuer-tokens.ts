import { clock } from "@stemma/core/internal";
import type { JWTPayload, JWTVerifyGetKey, JWTVerifyOptions } from "jose";
import type { IssuerConfiguration } from "./issuer-configuration";
import type { Fetch, OidcClient } from "./oidc-client";
import { issuerUnavailable } from "./oidc-errors";

/** Tokens that an issuer signs for this service. */
export interface IssuerTokens {
	/**
	 * Verifies a token with the issuer's keys: its signature by one of {@link ALGORITHMS}, `iss`, `aud`, `exp` and `nbf`.
	 *
	 * @throws Error of jose where it does not hold; DomainError `issuer_unavailable`
	 */
	verify(token: string, requirements: TokenRequirements): Promise<JWTPayload>;
}

/** Requirements of a token. */
export interface TokenRequirements {
	readonly audience: string;
	/** Claims that it must have. */
	readonly claims: readonly string[];
	/** Longest time since `iat`, in seconds. Default: not checked. */
	readonly maxAgeSeconds?: number;
}

/** Signatures with keys that only the issuer has: no shared secrets, and never `none`. */
const ALGORITHMS = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"ES512",
	"EdDSA",
	"Ed25519",
];
const CLOCK_TOLERANCE_SECONDS = 30;
/** Time for which keys are kept. */
const KEYS_TTL_MS = 10 * 60 * 1000;
/** Time between two requests for keys, however many tokens name a key that is not known. */
const KEYS_COOLDOWN_MS = 30 * 1000;
const KEYS_TIMEOUT_MS = 5_000;

/** Codes of errors that a token is to blame for, and not the issuer that was asked for keys. */
const TOKEN_ERRORS: readonly unknown[] = [
	"ERR_JWKS_NO_MATCHING_KEY",
	"ERR_JWKS_MULTIPLE_MATCHING_KEYS",
	"ERR_JOSE_NOT_SUPPORTED",
];

const isOfToken = (error: unknown): boolean =>
	error instanceof Error && "code" in error && TOKEN_ERRORS.includes(error.code);

/** The library is loaded with the first token. */
const load = () => import("jose");

export function createIssuerTokens(
	configuration: IssuerConfiguration,
	client: Pick<OidcClient, "getKeysAddress">,
	fetch: Fetch,
): IssuerTokens {
	let keys: { readonly address: string; readonly find: JWTVerifyGetKey } | undefined;
	async function getKeys(): Promise<JWTVerifyGetKey> {
		const { createRemoteJWKSet, customFetch } = await load();
		const address = await client.getKeysAddress();
		if (keys?.address !== address.href) {
			const remote = createRemoteJWKSet(address, {
				cacheMaxAge: KEYS_TTL_MS,
				cooldownDuration: KEYS_COOLDOWN_MS,
				timeoutDuration: KEYS_TIMEOUT_MS,
				[customFetch]: (url: string, init: RequestInit) => fetch(url, init),
			});
			const find: JWTVerifyGetKey = (header, token) =>
				remote(header, token).catch((error: unknown) => {
					throw isOfToken(error) ? error : issuerUnavailable(configuration, error);
				});
			keys = { address: address.href, find };
		}
		return keys.find;
	}
	return {
		async verify(token, { audience, claims, maxAgeSeconds }) {
			const { jwtVerify } = await load();
			const options: JWTVerifyOptions = {
				...{ issuer: configuration.issuer, audience, algorithms: ALGORITHMS, requiredClaims: [...claims] },
				clockTolerance: CLOCK_TOLERANCE_SECONDS,
				currentDate: new Date(clock.now()),
				...(maxAgeSeconds !== undefined && { maxTokenAge: maxAgeSeconds }),
			};
			const { payload } = await jwtVerify(token, await getKeys(), options);
			return payload;
		},
	};
}
