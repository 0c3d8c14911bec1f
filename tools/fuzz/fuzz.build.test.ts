import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenApi } from "../openapi/breaking-changes";
import { createServiceCredentials, createTokenCredentials } from "./credentials";
import { BODIES, FIRST_REQUESTS, GRAPH, QUESTION } from "./first-requests";
import { type FuzzOptions, fuzzServer } from "./fuzz-server";
import { type FuzzServers, ISSUER, startFuzzServers, VENDOR_KEY } from "./fuzz-servers";
import { UNREACHED } from "./unreached";

/** `npm run fuzz` sends 50,000. */
const DEFAULT_REQUESTS = process.env.STEMMA_TESTS === "all" ? 2_000 : 500;
const REQUESTS = Number(process.env.STEMMA_FUZZ_REQUESTS ?? DEFAULT_REQUESTS);
const SEED = Number(process.env.STEMMA_SEED ?? 1);
/** Requests for an operation from which on each of its kinds was drawn. */
const MIN_REQUESTS_OF_OPERATION = 150;
const MAX_SHOWN = 20;

const readDocument = (name: string): OpenApi =>
	JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"));

let started: FuzzServers;
beforeAll(async () => {
	started = await startFuzzServers(process.env.STEMMA_FUZZ_STORE === "postgres");
});
afterAll(() => started?.close());

async function expectDescribed(options: Omit<FuzzOptions, "seed">): Promise<void> {
	const { sent, coverage, findings } = await fuzzServer({ ...options, seed: SEED });
	if (process.env.STEMMA_FUZZ_REQUESTS !== undefined) console.log(coverage.format());
	const shown = findings.slice(0, MAX_SHOWN).map(({ operation, problem, request, response }) => ({
		...{ operation, problem, path: request.path.slice(0, 200), status: response.status },
		...{ credential: request.credential, sent: String(request.body ?? "").slice(0, 300) },
		received: response.text.slice(0, 400),
	}));
	expect(shown, `Seed ${SEED}: ${findings.length} of ${sent} answers`).toEqual([]);
	expect(coverage.countSuccesses(), "requests that did something").toBeGreaterThan(sent / 4);
	const operations = Object.values(options.document.paths ?? {}).flatMap((methods) => Object.keys(methods));
	if (sent < operations.length * MIN_REQUESTS_OF_OPERATION) return;
	const unreached = coverage.listUnreached().filter((operation) => !(operation in UNREACHED));
	expect(unreached, "operations that never succeeded").toEqual([]);
}

const toUrl = ({ host }: { readonly host: string }): string => `http://${host}`;

describe(`each answer to ${REQUESTS} requests, valid and not, is described, and is no failure of ours`, () => {
	it("of the service", { timeout: 3_600_000 }, () => {
		const { servers, vendorUrl } = started;
		const url = toUrl(servers.service);
		return expectDescribed({
			url,
			credentials: createServiceCredentials({ url, ...servers.client }),
			document: readDocument("openapi.json"),
			first: FIRST_REQUESTS,
			requests: Math.ceil(REQUESTS * 0.9),
			bodies: {
				...BODIES,
				postOauthToken: {
					grant_type: "client_credentials",
					client_id: servers.client.clientId,
					client_secret: servers.client.clientSecret,
				},
			},
			values: {
				id: [ISSUER, "crm", "default", "chat", "1", "2"],
				...{ graph: [GRAPH], question: [QUESTION], query: [QUESTION], input: [QUESTION] },
				email: ["ada@example.com", "grace@example.com", "alan@example.com"],
				settings: [{ kind: "url", url: `${vendorUrl}/models` }],
				payer: ["deployment", "none"],
				...{ scope: ["ask"], issuer: [url], resource: [`${url}/mcp`], text: [QUESTION] },
				...{ response_type: ["code"], redirect_uri: ["https://app.example/callback"] },
				// Of RFC 7636, appendix B.
				code_challenge: ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"],
				code_challenge_method: ["S256"],
				...{ provider: ["openai-compatible"], base_url: [vendorUrl], api_key: [VENDOR_KEY] },
				...{ model: ["default", "host-model", "clerk"], server_url: [vendorUrl] },
			},
		});
	});

	it("of the runtime", { timeout: 3_600_000 }, () =>
		expectDescribed({
			url: toUrl(started.servers.runtime),
			credentials: createTokenCredentials(started.servers.runtime.token),
			document: readDocument("openapi-runtime.json"),
			requests: Math.floor(REQUESTS * 0.1),
			bodies: BODIES,
			values: { id: ["desk", "asking", "chat"], input: [QUESTION] },
		}),
	);
});
