import { createHash, randomBytes } from "node:crypto";
import type { AuthorizationRequest, DecidedAuthorization } from "@stemma/client";
import type { TestUser } from "../../people/test-support/people-fixture";
import type { SendRequest, TestResponse } from "../../test-support/send-request";
import { getBody } from "../../test-support/tenant";

/** Tokens as an app gets them. */
export interface TestTokens {
	readonly access_token: string;
	readonly refresh_token: string;
	readonly scope: string;
}

/** App that asks people for access, as a client of MCP does. */
export interface TestApp {
	readonly id: string;
	/** Request that it sends a person to the service with. */
	readonly request: AuthorizationRequest;
	/** Lets a person give it access, and returns the parameters of the address that the person is sent to. */
	authorize(user: TestUser, more?: object): Promise<URLSearchParams>;
	/** Exchanges a code, with parameters that differ from the right ones. */
	exchange(code: string, more?: Readonly<Record<string, string>>): Promise<TestResponse>;
	refresh(token: string, more?: Readonly<Record<string, string>>): Promise<TestResponse>;
	revoke(token: string, clientId?: string): Promise<TestResponse>;
	/** Lets a person give it access, and gets its tokens. */
	connect(user: TestUser, more?: object): Promise<TestTokens>;
}

export const REDIRECT_URI = "https://app.example/callback";

/** @param send - sends without a credential. */
export async function createApp(send: SendRequest, redirectUri = REDIRECT_URI): Promise<TestApp> {
	const verifier = randomBytes(32).toString("base64url");
	const registered = await getBody<{ readonly client_id: string }>(
		send("POST", "/oauth/register", { json: { client_name: "An App", redirect_uris: [redirectUri] } }),
	);
	const id = registered.client_id;
	const request = {
		...{ client_id: id, redirect_uri: redirectUri, response_type: "code", state: "a state" },
		code_challenge: createHash("sha256").update(verifier).digest("base64url"),
		code_challenge_method: "S256",
	};
	const postForm = (path: string, parameters: Readonly<Record<string, string>>) =>
		send("POST", path, { form: new URLSearchParams(parameters) });
	async function authorize(user: TestUser, more: object = {}): Promise<URLSearchParams> {
		const json = { ...request, ...more, decision: "allow" };
		const { redirect_to } = await getBody<DecidedAuthorization>(
			user.send("POST", "/v1/authorizations", { json }),
		);
		return new URL(redirect_to).searchParams;
	}
	const exchange: TestApp["exchange"] = (code, more = {}) =>
		postForm("/oauth/token", {
			...{ grant_type: "authorization_code", client_id: id, redirect_uri: redirectUri },
			...{ code, code_verifier: verifier },
			...more,
		});
	return {
		...{ id, request, authorize, exchange },
		refresh: (refresh_token, more = {}) =>
			postForm("/oauth/token", { grant_type: "refresh_token", client_id: id, refresh_token, ...more }),
		revoke: (token, client_id = id) => postForm("/oauth/revoke", { token, client_id }),
		async connect(user, more) {
			const code = (await authorize(user, more)).get("code") ?? "";
			return getBody<TestTokens>(exchange(code));
		},
	};
}
