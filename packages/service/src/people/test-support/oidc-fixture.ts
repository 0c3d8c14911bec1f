import { type OidcSimulator, startOidcSimulator } from "@stemma/simulators/oidc";
import type { SignInInput } from "../../configuration/sign-in-schema";
import type * as source from "../../index";
import { sendTo, type TestResponse } from "../../test-support/send-request";
import {
	openTestDeployment,
	type TestDeployment,
	type TestWorkspace,
} from "../../test-support/test-deployment";
import { createPeople, ORIGIN, type TestPeople } from "./people-fixture";

/** Key of the issuer in the configuration. */
export const ISSUER_KEY = "company";
export const OIDC_CLIENT_ID = "stemma";
export const API_AUDIENCE = "https://stemma.example/api";

type IssuerInput = NonNullable<SignInInput["issuers"]>[string];

/** Browser without pages: it keeps cookies by their origin and follows no redirect by itself. */
export interface TestBrowser {
	/** Opens an address of the service or of an issuer. */
	open(url: string, headers?: Readonly<Record<string, string>>): Promise<TestResponse>;
	/** Cookies for the service, as a header. */
	cookies(): string;
}

/** Deployment with an issuer. */
export interface OidcFixture extends TestPeople {
	readonly deployment: TestDeployment;
	readonly mine: TestWorkspace;
	readonly issuer: OidcSimulator;
	/** Changes the responses of the issuer to the service; the last one counts. */
	intercept(change: ((url: string, response: Response) => Promise<Response>) | undefined): void;
	browser(): TestBrowser;
	/** Begins a sign-in, and follows it to the callback, which is not opened. */
	begin(browser: TestBrowser, key?: string): Promise<string>;
	/** Signs the person in who is at the issuer. */
	signInThere(browser?: TestBrowser): Promise<TestResponse>;
	close(): Promise<void>;
}

const CALLBACK = (key: string) => `/v1/sign-in/${key}/callback`;

/** @param more - more fields of the issuer, or more issuers, in the configuration. */
export async function startOidcFixture(
	built: typeof source,
	more: Partial<IssuerInput> = {},
	others: SignInInput["issuers"] = {},
): Promise<OidcFixture> {
	const issuer = await startOidcSimulator({
		...{ clientId: OIDC_CLIENT_ID, clientSecret: "simulated-secret", origins: [ORIGIN] },
		callbackPath: CALLBACK(ISSUER_KEY),
	});
	let intercept: ((url: string, response: Response) => Promise<Response>) | undefined;
	const input: IssuerInput = {
		...{ name: "Company", issuer: issuer.issuer, client_id: OIDC_CLIENT_ID },
		client_secret: { value: "simulated-secret" },
		scopes: ["openid", "email", "profile", "groups"],
		workspace: "mine",
		api_audience: API_AUDIENCE,
		...more,
	};
	const deployment = await openTestDeployment(
		built,
		{ sign_in: { issuers: { [ISSUER_KEY]: input, ...others } } },
		{
			fetch: async (url, init) => {
				const response = await fetch(url, init);
				return intercept === undefined ? response : intercept(url, response);
			},
		},
	);
	const mine = await deployment.addWorkspace("mine");
	const browser = () => createBrowser(deployment);
	const begin = (used: TestBrowser, key = ISSUER_KEY) => followToCallback(used, key);
	return {
		...createPeople(deployment, mine),
		...{ deployment, mine, issuer, browser, begin },
		intercept(change) {
			intercept = change;
		},
		async signInThere(used = browser()) {
			return used.open(await begin(used));
		},
		async close() {
			await deployment.close();
			await issuer.close();
		},
	};
}

const MAX_REDIRECTS = 10;

async function followToCallback(browser: TestBrowser, key: string): Promise<string> {
	let url = `${ORIGIN}/v1/sign-in/${key}`;
	for (let count = 0; count < MAX_REDIRECTS; count++) {
		const response = await browser.open(url, { "sec-fetch-site": "same-origin" });
		const location = response.headers.get("location");
		if (location === null) throw new Error(`${response.status} ${response.text}`);
		url = new URL(location, url).href;
		if (url.startsWith(ORIGIN + CALLBACK(key))) return url;
	}
	throw new Error("The issuer redirects for ever.");
}

function createBrowser({ service }: TestDeployment): TestBrowser {
	const jars = new Map<string, Map<string, string>>();
	const send = sendTo(service.fetch, undefined, ORIGIN);
	const toHeader = (origin: string) =>
		[...(jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
	function keep(origin: string, headers: Headers): void {
		const jar = jars.get(origin) ?? new Map<string, string>();
		jars.set(origin, jar);
		for (const cookie of headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
			if (/Max-Age=0|expires=Thu, 01 Jan 1970/i.test(cookie)) jar.delete(name);
			else jar.set(name, value);
		}
	}
	return {
		async open(url, more = {}) {
			const { origin } = new URL(url);
			const headers = { accept: "text/html", cookie: toHeader(origin), ...more };
			const response =
				origin === ORIGIN
					? await send("GET", url.slice(origin.length), { headers })
					: await read(await fetch(url, { headers, redirect: "manual" }));
			keep(origin, response.headers);
			return response;
		},
		cookies: () => toHeader(ORIGIN),
	};
}

async function read(response: Response): Promise<TestResponse> {
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, body: undefined };
}
