import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestToken, startTestService, type TestService } from "../../http/test-support/test-service";
import { isAboutOneInstance } from "../../test-support/alternating-service";

let service: TestService;
beforeAll(async () => {
	service = await startTestService();
});
afterAll(() => service.end());

const ask = (form: Record<string, string> | string[][], headers?: Record<string, string>) =>
	requestToken(service.current(), form, headers);
const grant_type = "client_credentials";
const client = () => {
	const { client_id, client_secret } = service.credentials;
	return { client_id, client_secret };
};
const basic = (id: string, secret: string) => ({
	authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

describe("a token", () => {
	test("comes for client id and secret in the body", async () => {
		const { status, headers, body } = await ask({ grant_type, ...client() });
		expect(status).toBe(200);
		expect(headers.get("cache-control")).toBe("no-store");
		expect(body).toEqual({
			access_token: expect.stringMatching(/^tok_[\w-]{43}$/),
			token_type: "bearer",
			expires_in: 900,
			scope:
				"ask agents:run agents:write agents:trace runs:approve knowledge:read knowledge:write settings:read settings:write keys:write deployment:write",
		});
		expect((await service.send("/v1/clients", { credential: body.access_token })).status).toBe(200);
	});
	test("comes by Basic, with the id in the body or without", async () => {
		const { client_id, client_secret } = client();
		const headers = basic(client_id, client_secret);
		expect((await ask({ grant_type }, headers)).status).toBe(200);
		expect((await ask({ grant_type, client_id }, headers)).status).toBe(200);
	});
	test("is narrowed to the scopes that were asked for", async () => {
		const { body } = await ask({ grant_type, ...client(), scope: "ask knowledge:read ask" });
		expect(body.scope).toBe("ask knowledge:read");
		const answer = await service.send("/v1/clients", { credential: body.access_token });
		expect([answer.status, answer.body.error.code]).toEqual([403, "missing_scope"]);
		expect(answer.body.error.message).toContain('"keys:write"');
	});
	test("ignores parameters that it does not know, as the RFC wants", async () => {
		expect((await ask({ grant_type, ...client(), audience: "x" })).status).toBe(200);
	});
});

describe("refused as RFC 6749 says:", () => {
	test("an unknown client and a wrong secret, so that nobody can tell which", async () => {
		const { client_id, client_secret } = client();
		const wrong = await ask({ grant_type, client_id, client_secret: `${client_secret}x` });
		const unknown = await ask({ grant_type, client_id: "cl_unknown", client_secret });
		expect([wrong.status, unknown.status]).toEqual([401, 401]);
		expect(wrong.body).toEqual(unknown.body);
		expect(wrong.body).toEqual({
			error: "invalid_client",
			error_description: "The client id or the client secret is wrong.",
		});
		expect(wrong.headers.get("www-authenticate")).toMatch(/^Basic /);
		expect(wrong.headers.get("cache-control")).toBe("no-store");
	});
	test.each([
		["no grant type", (): Record<string, string> => client(), "invalid_request", 400],
		["another grant type", () => ({ grant_type: "password", ...client() }), "unsupported_grant_type", 400],
		["no client", () => ({ grant_type }), "invalid_client", 401],
		[
			"a scope that does not exist",
			() => ({ grant_type, ...client(), scope: "ask everything" }),
			"invalid_scope",
			400,
		],
	] as const)("%s", async (_, form, error, status) => {
		const answer = await ask(form());
		expect([answer.status, answer.body.error]).toEqual([status, error]);
	});
	test("a parameter that is there twice", async () => {
		const form = [...Object.entries({ grant_type, ...client() }), ["grant_type", grant_type]];
		expect((await ask(form)).body.error).toBe("invalid_request");
	});
	test("the secret by Basic and in the body", async () => {
		const { client_id, client_secret } = client();
		const answer = await ask({ grant_type, ...client() }, basic(client_id, client_secret));
		expect([answer.status, answer.body.error]).toEqual([400, "invalid_request"]);
	});
	test("Basic that cannot be read, and Bearer", async () => {
		for (const authorization of ["Basic", "Basic !!", "Basic bm9jb2xvbg==", "Basic JTpi", "Bearer x"])
			expect((await ask({ grant_type }, { authorization })).body.error).toBe("invalid_client");
	});
	test("a body that is no form", async () => {
		const { status, body } = await service.send("/oauth/token", { json: { grant_type, ...client() } });
		expect([status, body.error]).toEqual([400, "invalid_request"]);
	});
	test("a scope that the client lacks", async () => {
		const { body } = await service.send("/v1/clients", { json: { name: "small", scopes: ["ask"] } });
		const { id: client_id, client_secret } = body;
		const form = { grant_type, client_id, client_secret };
		expect((await ask({ ...form, scope: "keys:write" })).body.error).toBe("invalid_scope");
		expect((await ask(form)).body.scope).toBe("ask");
	});
});

test.skipIf(isAboutOneInstance("failures are exchanged after a moment"))(
	"who fails again and again waits; who has the right secret does not",
	async () => {
		const { client_id, client_secret } = client();
		const start = performance.now();
		const fail = () => ask({ grant_type, client_id, client_secret: "wrong" });
		for (let attempt = 0; attempt < 10; attempt++) await fail();
		expect(performance.now() - start).toBeGreaterThan(300);
		// One more failure waits two seconds.
		const failing = fail();
		const first = await Promise.race([failing, ask({ grant_type, client_id, client_secret })]);
		expect(first.status).toBe(200);
		expect((await failing).status).toBe(401);
	},
);

test("never answers across origins", async () => {
	const { headers } = await ask({ grant_type, ...client() }, { origin: "https://app.example" });
	expect(headers.get("access-control-allow-origin")).toBeNull();
});

describe("too many requests for tokens", () => {
	beforeAll(() => service.restart({ limits: { access_tokens_per_minute: 5 } }));

	test.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
		"are refused for that client alone, and say when to come again",
		async () => {
			const { body: other } = await service.send("/v1/clients", { json: { name: "other" } });
			const form = { grant_type, ...client() };
			const answers = await Promise.all(Array.from({ length: 20 }, () => ask(form)));
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
			const refused = answers.find(({ status }) => status !== 200);
			expect([refused?.status, refused?.body.error]).toEqual([429, "rate_limited"]);
			expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
			const { id: client_id, client_secret } = other;
			expect((await ask({ grant_type, client_id, client_secret })).status).toBe(200);
			// Guesses cost the client nothing, and the limit tells nobody whether they are right.
			expect((await ask({ ...form, client_secret: "wrong" })).status).toBe(401);
		},
	);

	test.skipIf(isAboutOneInstance("rates are exchanged after a moment"))(
		"from one address without the right secret are refused, and the right secret is not",
		async () => {
			const post = (form: Record<string, string>, address: string) =>
				service.current().fetch(
					new Request("http://127.0.0.1:4000/oauth/token", {
						method: "POST",
						body: new URLSearchParams(form),
					}),
					{ address },
				);
			const wrong = { grant_type, client_id: "cl_unknown", client_secret: "wrong" };
			const statuses: number[] = [];
			for (let attempt = 0; attempt < 310; attempt++) statuses.push((await post(wrong, "192.0.2.1")).status);
			expect([statuses[0], statuses.at(-1)]).toEqual([401, 429]);
			expect((await post(wrong, "192.0.2.2")).status).toBe(401);
			const { body } = await service.send("/v1/clients", { json: { name: "honest" } });
			const right = { grant_type, client_id: body.id, client_secret: body.client_secret };
			expect((await post(right, "192.0.2.1")).status).toBe(200);
		},
	);
});
