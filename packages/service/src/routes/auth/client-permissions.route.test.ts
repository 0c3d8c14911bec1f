import type { Scope } from "@stemma/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SCOPES } from "../../auth/scopes";
import { getToken, startTestService, type TestService } from "../../http/test-support/test-service";

interface TestClient {
	readonly id: string;
	readonly client_secret: string;
	readonly scopes: readonly Scope[];
}

let service: TestService;
let owner: string;
beforeAll(async () => {
	service = await startTestService({ limits: { requests_per_minute: 1_000_000 } });
	owner = await getToken(service.current(), service.credentials, SCOPES.join(" "));
});
afterAll(() => service.end());

const create = async (scopes: readonly Scope[]): Promise<TestClient> =>
	(await service.send("/v1/clients", { json: { name: "of a test", scopes }, credential: owner })).body;
const tokenOf = ({ id, client_secret }: TestClient): Promise<string> =>
	getToken(service.current(), { client_id: id, client_secret });
const createKey = async (scopes: readonly string[], expose: string): Promise<string> =>
	(
		await service.send("/v1/client-keys", {
			json: { name: "of a test", scopes, expose, native: true },
			credential: owner,
		})
	).body.id;

const OPERATIONS = {
	delete: ({ id }: { id: string }, credential: string) =>
		service.send(`/v1/clients/${id}`, { method: "DELETE", credential }),
	rotate: ({ id }: { id: string }, credential: string) =>
		service.send(`/v1/clients/${id}/rotate`, { method: "POST", credential }),
	create: ({ scopes }: { scopes: readonly Scope[] }, credential: string) =>
		service.send("/v1/clients", { json: { name: "of a test", scopes }, credential }),
} as const;

/** All subsets of some scopes. */
const subsetsOf = (scopes: readonly Scope[]): Scope[][] =>
	Array.from({ length: 2 ** scopes.length }, (_, bits) => scopes.filter((_, index) => (bits >> index) & 1));

describe.each(Object.entries(OPERATIONS))("whether a client may %s another", (name, operate) => {
	const scopeSets = subsetsOf(["ask", "settings:write", "keys:write", "deployment:write"]);

	test("depends on the scopes that it lacks, for each pair of subsets", async () => {
		for (const own of scopeSets.filter((scopes) => scopes.length > 0)) {
			const credential = await tokenOf(await create(own));
			for (const theirs of scopeSets) {
				const target = await create(theirs);
				const { status, body } = await operate(target, credential);
				const missing = own.includes("keys:write")
					? theirs.filter((scope) => !own.includes(scope))
					: ["keys:write"];
				const outcome = { own, theirs, status, missing: body.error?.details?.scopes ?? [] };
				const done = name === "create" ? 201 : 200;
				expect(outcome).toEqual({ own, theirs, status: missing.length === 0 ? done : 403, missing });
			}
		}
	});

	test.each(SCOPES)("with a target that has %s alone", async (scope) => {
		const rest = SCOPES.filter((name) => name !== scope);
		const missing = await operate(await create([scope]), await tokenOf(await create(rest)));
		expect([missing.status, missing.body.error.code]).toEqual([403, "missing_scope"]);
		expect(missing.body.error.details).toEqual({ scopes: [scope] });
		const allowedToken = await tokenOf(await create(["keys:write", scope]));
		expect((await operate(await create([scope]), allowedToken)).status).toBeLessThan(300);
	});

	test("counts the scopes of the token, not those of its client", async () => {
		const narrow = await getToken(service.current(), service.credentials, "keys:write");
		const answer = await operate(await create(["ask", "keys:write"]), narrow);
		expect([answer.status, answer.body.error.details]).toEqual([403, { scopes: ["ask"] }]);
	});
});

test("a client key is deleted by who could create it", async () => {
	const manager = await tokenOf(await create(["keys:write", "ask"]));
	const drop = (id: string, credential: string) =>
		service.send(`/v1/client-keys/${id}`, { method: "DELETE", credential });
	for (const [scopes, expose, missing] of [
		[["ask"], "answer", []],
		[["ask", "agents:run"], "answer", ["agents:run"]],
		[["agents:run"], "trace", ["agents:run", "agents:trace"]],
	] as const) {
		const id = await createKey(scopes, expose);
		const { status, body } = await drop(id, manager);
		expect([status, body.error?.details?.scopes ?? []]).toEqual([missing.length === 0 ? 200 : 403, missing]);
		expect((await drop(id, owner)).status).toBe(missing.length === 0 ? 404 : 200);
	}
});

describe("the last client that manages clients", () => {
	let alone: TestService;
	let first: { client_id: string; client_secret: string };
	let token: string;
	beforeAll(async () => {
		alone = await startTestService();
		first = alone.credentials;
		token = await getToken(alone.current(), first, SCOPES.join(" "));
	});
	afterAll(() => alone.end());
	const request = (method: string, path: string, credential: string, json?: unknown) =>
		alone.send(path, { method, credential, json });
	const second = async (scopes?: readonly Scope[]) => {
		const { body } = await request("POST", "/v1/clients", token, { name: "second", scopes });
		const { id, client_secret } = body;
		return { id, token: await getToken(alone.current(), { client_id: id, client_secret }) };
	};

	test("is not deleted by a client with keys:write alone, and goes on", async () => {
		const thief = await second(["keys:write"]);
		const answer = await request("DELETE", `/v1/clients/${first.client_id}`, thief.token);
		expect([answer.status, answer.body.error.code]).toEqual([403, "missing_scope"]);
		expect(answer.body.error.details.scopes).toContain("knowledge:write");
		expect((await request("GET", "/v1/clients", token)).status).toBe(200);
		expect((await request("DELETE", `/v1/clients/${thief.id}`, token)).status).toBe(200);
	});

	test("gets no new secret that could be lost on its way", async () => {
		const path = `/v1/clients/${first.client_id}/rotate`;
		const refused = await request("POST", path, token);
		expect([refused.status, refused.body.error.code]).toEqual([409, "last_manager"]);
		expect(refused.body.error.hint).toContain("stemma clients create --data");
		expect((await request("GET", "/v1/clients", token)).status).toBe(200);
	});

	test.each(["DELETE", "POST"])("is left by two that send %s about each other at once", async (method) => {
		const toPath = (id: string) => `/v1/clients/${id}${method === "POST" ? "/rotate" : ""}`;
		for (let round = 0; round < 20; round += 1) {
			const managers = [await second(SCOPES), await second(SCOPES)] as const;
			const [one, other] = managers;
			await request("DELETE", `/v1/clients/${first.client_id}`, one.token);
			const answers = await Promise.all([
				request(method, toPath(other.id), one.token),
				request(method, toPath(one.id), other.token),
			]);
			const codes = answers.map(({ status, body }) => body.error?.code ?? status);
			const secrets = answers.flatMap(({ body }) => body.client_secret ?? []);
			const remaining = await findManagers(secrets, managers);
			expect({ codes, remaining: remaining.length }).toEqual({
				codes,
				remaining: expect.toSatisfy((count) => count > 0),
			});
			// What is left takes the place of the first.
			const [manager] = remaining;
			if (manager === undefined) throw new Error("Nobody is left.");
			first = { client_id: manager.id, client_secret: "" };
			token = manager.token;
		}
	});

	/** Those of two clients that still manage clients, with their token or the secret that somebody was told. */
	async function findManagers(
		secrets: readonly string[],
		managers: readonly { id: string; token: string }[],
	) {
		const found = [];
		for (const { id, token: old } of managers) {
			const tokens = await Promise.all(
				secrets.map((client_secret) =>
					getToken(alone.current(), { client_id: id, client_secret }).catch(() => undefined),
				),
			);
			for (const credential of [old, ...tokens])
				if (credential !== undefined && (await request("GET", "/v1/clients", credential)).status === 200)
					found.push({ id, token: credential });
		}
		return found;
	}
});
