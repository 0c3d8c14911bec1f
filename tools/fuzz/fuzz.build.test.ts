import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OddServers, startOddServers } from "../contract/odd-requests/server";
import type { OpenApi } from "../openapi/breaking-changes";
import { FIRST_REQUESTS } from "./first-requests";
import { type FuzzOptions, fuzzServer } from "./fuzz-server";

/** `npm run fuzz` sends 50,000. */
const DEFAULT_REQUESTS = process.env.STEMMA_TESTS === "all" ? 2_000 : 500;
const REQUESTS = Number(process.env.STEMMA_FUZZ_REQUESTS ?? DEFAULT_REQUESTS);
const SEED = Number(process.env.STEMMA_SEED ?? 1);
const MAX_SHOWN = 20;

const readDocument = (name: string): OpenApi =>
	JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8"));

let servers: OddServers;
beforeAll(async () => {
	servers = await startOddServers();
});
afterAll(() => servers?.close());

async function expectDescribed(options: Omit<FuzzOptions, "seed">): Promise<void> {
	const { sent, statuses, findings } = await fuzzServer({ ...options, seed: SEED });
	const shown = findings.slice(0, MAX_SHOWN).map(({ operation, problem, request, response }) => ({
		...{ operation, problem, path: request.path.slice(0, 200), status: response.status },
		sent: String(request.body ?? "").slice(0, 300),
		received: response.text.slice(0, 400),
	}));
	expect(
		shown,
		`Seed ${SEED}: ${findings.length} of ${sent} answers. Statuses: ${JSON.stringify(statuses)}`,
	).toEqual([]);
	expect(statuses[200], "requests that did something").toBeGreaterThan(sent / 20);
}

const toUrl = ({ host }: { readonly host: string }): string => `http://${host}`;

describe(`each answer to ${REQUESTS} requests, valid and not, is described, and is no failure of ours`, () => {
	it("of the service", { timeout: 3_600_000 }, () =>
		expectDescribed({
			url: toUrl(servers.service),
			authorization: servers.service.authorization,
			document: readDocument("openapi.json"),
			first: FIRST_REQUESTS,
			requests: Math.ceil(REQUESTS * 0.9),
		}),
	);

	it("of the runtime", { timeout: 3_600_000 }, () =>
		expectDescribed({
			url: toUrl(servers.runtime),
			authorization: servers.runtime.authorization,
			document: readDocument("openapi-runtime.json"),
			requests: Math.floor(REQUESTS * 0.1),
			ids: ["desk"],
		}),
	);
});
