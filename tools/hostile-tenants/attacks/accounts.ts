import type { Attack } from "../attacker/attack.ts";
import type { Hostile } from "../attacker/hostile.ts";

const REFUSED = ["400 *", "401 *", "403 *", "404 *", "405 *", "409 *", "413 *", "422 *", "429 *"];

const attack = (
	name: string,
	step: (hostile: Hostile) => Promise<unknown>,
	{ everyMs = 100, concurrency = 2 } = {},
): Attack => ({ name, expects: REFUSED, everyMs, concurrency, start: (hostile) => () => step(hostile) });

const FORM = { "content-type": "application/x-www-form-urlencoded" };

const requestToken = (hostile: Hostile, clientId: string, secret: string) =>
	hostile.send(
		"POST",
		"/oauth/token",
		new URLSearchParams({
			grant_type: "client_credentials",
			client_id: clientId,
			client_secret: secret,
		}).toString(),
		{ isAnonymous: true, headers: FORM },
	);

const PAGES = ["clients", "client-keys", "agents", "knowledge-bases", "runs", "audit", "workspace/secrets"];

export const ACCOUNT_ATTACKS: readonly Attack[] = [
	attack("token-flood", (hostile) => requestToken(hostile, hostile.clientId, hostile.clientSecret), {
		everyMs: 50,
		concurrency: 6,
	}),
	attack(
		"wrong-secrets",
		(hostile) => requestToken(hostile, hostile.clientId, `cs_${hostile.random.next()}`),
		{
			everyMs: 50,
			concurrency: 4,
		},
	),
	attack(
		"unknown-clients",
		(hostile) => requestToken(hostile, `cl_${hostile.random.next()}`, "x".repeat(5000)),
		{
			everyMs: 50,
		},
	),
	attack("wrong-tokens", (hostile) =>
		hostile.send("GET", "/v1/agents", undefined, {
			headers: { authorization: `Bearer ${"x".repeat(8000)}` },
		}),
	),
	attack("wrong-client-keys", (hostile) =>
		hostile.send(
			"POST",
			"/v1/search",
			{ query: "a" },
			{
				headers: { authorization: `Bearer ck_${hostile.random.between(0, 1e9)}_${"x".repeat(40)}` },
			},
		),
	),
	attack(
		"token-body-junk",
		(hostile) =>
			hostile.send("POST", "/oauth/token", "a=b&".repeat(200_000), { isAnonymous: true, headers: FORM }),
		{ everyMs: 1000 },
	),
	attack("basic-junk", (hostile) =>
		hostile.send("POST", "/oauth/token", "grant_type=client_credentials", {
			headers: {
				...FORM,
				authorization: `Basic ${Buffer.alloc(9000, "%zz:").toString("base64").slice(0, 12_000)}`,
			},
		}),
	),
	attack("thousands-of-clients", (hostile) =>
		hostile.send("POST", "/v1/clients", { name: "n".repeat(100), scopes: ["ask"] }),
	),
	attack("thousands-of-client-keys", (hostile) =>
		hostile.send("POST", "/v1/client-keys", { name: "k", native: true, tokens_per_day: 1e9 }),
	),
	attack(
		"client-key-origins",
		(hostile) =>
			hostile.send("POST", "/v1/client-keys", {
				name: "k",
				origins: Array.from({ length: 20_000 }, (_, index) => `https://a${index}.example`),
			}),
		{ everyMs: 1000 },
	),
	attack("rotations", async (hostile) => {
		const { client_id } = await hostile.sendJson("POST", "/v1/clients", { name: "r", scopes: ["ask"] });
		if (typeof client_id === "string") await hostile.send("POST", `/v1/clients/${client_id}/rotate`);
	}),
	attack("thousands-of-secrets", (hostile) =>
		hostile.send("PUT", `/v1/workspace/secrets/s${hostile.random.between(0, 1e6)}`, {
			server_url: `${hostile.endpoints}/mcp`,
			value: "v".repeat(16_000),
		}),
	),
	attack("thousands-of-knowledge-bases", (hostile) =>
		hostile.send("POST", "/v1/knowledge-bases", { name: "n".repeat(200), description: "d".repeat(900) }),
	),
	attack("odd-pages", (hostile) => {
		const { random } = hostile;
		const limit = random.pick(["100", "0", "-1", "1e3", "9".repeat(400), "%00", ""]);
		const after = random.pick([
			"",
			"x".repeat(9000),
			"%F0%9F%92%A9",
			"' OR 1=1 --",
			"run_zzzzzzzzzzzzzzzzzzzzzzzzzz",
		]);
		return hostile.send(
			"GET",
			`/v1/${random.pick(PAGES)}?limit=${limit}&after=${encodeURIComponent(after ?? "")}`,
		);
	}),
	attack("large-pages", (hostile) => hostile.send("GET", `/v1/${hostile.random.pick(PAGES)}?limit=100`), {
		concurrency: 6,
	}),
	attack("audit-reads", (hostile) => hostile.send("GET", "/v1/audit?limit=100&action=client.create"), {
		concurrency: 4,
	}),
	attack("long-usage", (hostile) => hostile.send("GET", "/v1/usage?from=2025-10-20&to=2026-11-23"), {
		concurrency: 6,
	}),
	attack("odd-usage", (hostile) =>
		hostile.send("GET", "/v1/usage?from=0000-01-01&to=9999-12-31&payer=x&stage=y"),
	),
	attack("workspaces-of-others", (hostile) => hostile.send("POST", "/v1/workspaces", { name: "mine" })),
	attack("long-paths", (hostile) => hostile.send("GET", `/v1/agents/${"%2e%2e%2f".repeat(1200)}`)),
	attack("health-flood", (hostile) => hostile.send("GET", "/readyz", undefined, { isAnonymous: true }), {
		everyMs: 50,
		concurrency: 4,
	}),
	attack(
		"preflights",
		(hostile) =>
			hostile.send("OPTIONS", "/v1/ask", undefined, {
				isAnonymous: true,
				headers: {
					origin: `https://a${hostile.random.next()}.example`,
					"access-control-request-method": "POST",
					"access-control-request-headers": "x".repeat(5000),
				},
			}),
		{ everyMs: 50, concurrency: 4 },
	),
	attack(
		"odd-methods",
		(hostile) =>
			hostile.send(
				hostile.random.pick(["HEAD", "TRACE", "PROPFIND", "PURGE", "PATCH"]) ?? "HEAD",
				"/v1/search",
				undefined,
			),
		{
			concurrency: 3,
		},
	),
];
