import { randomUUID } from "node:crypto";
import type { CreatedApiClient, CreatedClientKey, CreatedInvitation, KnowledgeBase } from "@stemma/client";
import type { CredentialName } from "./fuzz-request";

type Headers = { readonly [name: string]: string };

/** Credentials that a fuzzer sends, by the names of their schemes in the document. */
export interface FuzzCredentials {
	toHeaders(name: CredentialName): Promise<Headers>;
	/** Forgets a credential that was refused, so that the next request gets a new one. */
	renew(name: CredentialName): void;
}

const WRONG = { authorization: "Bearer none" };

/** Creates the credentials of a server that has one token. */
export const createTokenCredentials = (token: string): FuzzCredentials => ({
	async toHeaders(name) {
		if (name === "none" || name === "page") return {};
		return name === "wrong" ? WRONG : { authorization: `Bearer ${token}` };
	},
	renew: () => undefined,
});

/** First client of a service. */
export interface ServiceClient {
	readonly url: string;
	readonly clientId: string;
	readonly clientSecret: string;
}

/** Access tokens live 15 minutes. */
const TOKEN_MS = 10 * 60_000;
/** Time until a credential that could not be made is tried again. */
const RETRY_MS = 5_000;
const TEXT = "A refund takes five working days.";

/** Creates the credentials of a service: access tokens, a client key, and the session of a person who is an admin. */
export function createServiceCredentials(client: ServiceClient): FuzzCredentials {
	const current = new Map<CredentialName, { readonly until: number; readonly headers: Promise<Headers> }>();
	const page = { origin: client.url, "stemma-csrf": "1" };
	const post = createPost(client.url);

	/** Access token of a client that may ask, and nothing else. */
	async function createLimitedClient(): Promise<Headers> {
		const body = { name: "limited", scopes: ["ask"] };
		const limited = await post<CreatedApiClient>("/v1/clients", body, await toHeaders("accessToken"));
		const { id: clientId, client_secret: clientSecret } = limited.body;
		return fetchAccessToken({ url: client.url, clientId, clientSecret });
	}

	/** The key has a knowledge base of its own, which no other request names, so that it always finds something. */
	async function createClientKey(): Promise<Headers> {
		const token = await toHeaders("accessToken");
		const base = await post<KnowledgeBase>("/v1/knowledge-bases", { name: "Of the key" }, token);
		await post(`/v1/knowledge-bases/${base.body.id}/documents`, { title: "Refunds", text: TEXT }, token);
		const body = { name: "fuzzer", native: true, models: true, knowledge_base_ids: [base.body.id] };
		const key = await post<CreatedClientKey>("/v1/client-keys", body, token);
		return { authorization: `Bearer ${key.body.client_key}` };
	}

	async function signIn(): Promise<Headers> {
		const email = `${randomUUID()}@example.com`;
		const token = await toHeaders("accessToken");
		const { body } = await post<CreatedInvitation>("/v1/invitations", { email, role: "admin" }, token);
		const link = { token: new URL(body.link).hash.replace("#sign-in=", "") };
		const { cookie } = await post("/v1/session", link, page);
		return { ...page, cookie };
	}

	const create: { readonly [Name in CredentialName]?: () => Promise<Headers> } = {
		...{ accessToken: () => fetchAccessToken(client), limited: createLimitedClient },
		...{ clientKey: createClientKey, session: signIn },
		...{ wrong: async () => WRONG, page: async () => page },
	};

	function toHeaders(name: CredentialName): Promise<Headers> {
		const known = current.get(name);
		if (known !== undefined && Date.now() < known.until) return known.headers;
		// People may sign in only so often: until then, requests have another credential.
		const headers = (create[name]?.() ?? Promise.resolve({})).catch((error) => {
			if (name === "accessToken") throw error;
			current.set(name, { until: Date.now() + RETRY_MS, headers: toHeaders("accessToken") });
			return toHeaders("accessToken");
		});
		current.set(name, { until: Date.now() + TOKEN_MS, headers });
		return headers;
	}

	return { toHeaders, renew: (name) => void current.delete(name) };
}

async function fetchAccessToken({ url, clientId, clientSecret }: ServiceClient): Promise<Headers> {
	const authorization = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
	const body = new URLSearchParams({ grant_type: "client_credentials" });
	const response = await fetch(`${url}/oauth/token`, { method: "POST", headers: { authorization }, body });
	const { access_token } = (await response.json()) as { readonly access_token: string };
	return { authorization: `Bearer ${access_token}` };
}

const createPost =
	(url: string) =>
	async <Body>(path: string, json: object, headers: Headers) => {
		const response = await fetch(`${url}${path}`, {
			method: "POST",
			headers: { ...headers, "content-type": "application/json" },
			body: JSON.stringify(json),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${text}`);
		const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
		return { body: JSON.parse(text) as Body, cookie };
	};
