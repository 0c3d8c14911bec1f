// Stand-in of a company's issuer of OpenID Connect: the certified `oidc-provider`, on a port of this machine.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { Provider } from "oidc-provider";

/** Person who has an account at the issuer. */
export interface OidcAccount {
	readonly sub: string;
	readonly email?: string;
	readonly email_verified?: boolean;
	readonly name?: string;
	readonly groups?: readonly string[];
}

export interface OidcSimulatorOptions {
	readonly clientId: string;
	readonly clientSecret: string;
	/** Origins of the service that redirects may go to. */
	readonly origins: readonly string[];
	/** Path of the callback at these origins. */
	readonly callbackPath: string;
	/** Port, to start again at the same address. Default: any that is free. */
	readonly port?: number;
}

/** Issuer that signs in whoever {@link OidcSimulator.account} is, without asking. */
export interface OidcSimulator {
	/** Identifier of the issuer: `http://localhost:<port>`. */
	readonly issuer: string;
	/** Person at the browser; changed by tests. */
	account: OidcAccount;
	/** Signs a token with the issuer's key. */
	sign(claims: Readonly<Record<string, unknown>>, header?: Readonly<Record<string, string>>): Promise<string>;
	/** Public keys of the issuer were asked for so often. */
	countKeyRequests(): number;
	close(): Promise<void>;
}

const KEY_ID = "simulator";
const TTL_SECONDS = { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 };

/** Starts an issuer. Its log of warnings for development is not shown. */
export async function startOidcSimulator(options: OidcSimulatorOptions): Promise<OidcSimulator> {
	const { privateKey } = await generateKeyPair("RS256", { extractable: true });
	const jwk: JWK = { ...(await exportJWK(privateKey)), kid: KEY_ID, alg: "RS256", use: "sig" };
	const state: { account: OidcAccount; keyRequests: number } = {
		account: { sub: "nobody" },
		keyRequests: 0,
	};
	const server = createServer();
	const port = await listen(server, options.port ?? 0);
	const issuer = `http://localhost:${port}`;
	const provider = createProvider(issuer, { ...options, jwk, findAccount: () => state.account });
	const respond = provider.callback();
	server.on("request", (request: IncomingMessage, response: ServerResponse) => {
		if (request.url?.startsWith("/jwks")) state.keyRequests += 1;
		if (request.url?.startsWith("/interaction/")) void finish(provider, request, response, state.account.sub);
		else void respond(request, response);
	});
	return {
		issuer,
		get account() {
			return state.account;
		},
		set account(account) {
			state.account = account;
		},
		sign: (claims, header = {}) =>
			new SignJWT({ iss: issuer, jti: randomUUID(), ...claims })
				.setProtectedHeader({ alg: "RS256", kid: KEY_ID, ...header })
				.sign(privateKey),
		countKeyRequests: () => state.keyRequests,
		close: () => close(server),
	};
}

interface ProviderParts extends OidcSimulatorOptions {
	readonly jwk: JWK;
	findAccount(): OidcAccount;
}

function createProvider(
	issuer: string,
	{ clientId, clientSecret, origins, callbackPath, jwk, findAccount }: ProviderParts,
): Provider {
	return new Provider(issuer, {
		clients: [
			{
				client_id: clientId,
				client_secret: clientSecret,
				redirect_uris: origins.map((origin) => origin + callbackPath),
				post_logout_redirect_uris: origins.map((origin) => `${origin}/`),
				token_endpoint_auth_method: "client_secret_post",
			},
		],
		jwks: { keys: [jwk] },
		cookies: { keys: ["simulator"] },
		claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"], groups: ["groups"] },
		scopes: ["openid", "email", "profile", "groups", "offline_access"],
		// As Keycloak and Entra do: the ID token has the claims.
		conformIdTokenClaims: false,
		pkce: { required: () => true },
		ttl: { ...TTL_SECONDS },
		features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
		interactions: { url: (_, { uid }) => `/interaction/${uid}` },
		findAccount: (_, sub) => ({
			accountId: sub,
			claims: async () => ({ ...findAccount(), sub, groups: [...(findAccount().groups ?? [])] }),
		}),
		async loadExistingGrant({ oidc }) {
			const grant = new oidc.provider.Grant({
				clientId: oidc.client?.clientId ?? "",
				accountId: oidc.session?.accountId ?? "",
			});
			grant.addOIDCScope("openid email profile groups");
			await grant.save();
			return grant;
		},
	});
}

/** Signs the person in whom the test has chosen, as a page with a form would. */
async function finish(
	provider: Provider,
	request: IncomingMessage,
	response: ServerResponse,
	accountId: string,
): Promise<void> {
	await provider.interactionFinished(request, response, { login: { accountId, remember: false } });
}

function listen(server: Server, port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		server.once("error", reject);
		server.listen(port, "localhost", () => resolve((server.address() as AddressInfo).port));
	});
}

function close(server: Server): Promise<void> {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(() => resolve()));
}
