import { expect, it } from "vitest";
import { Secret } from "../../encryption/secret";
import { createTestApp } from "../test-support/test-app";
import { requireMetricsAccess } from "./metrics-access";

interface Options {
	readonly token?: string;
	readonly isLocal: boolean;
	readonly publicOrigin?: string;
}

function open({ publicOrigin, ...options }: Options) {
	const { app } = createTestApp(publicOrigin === undefined ? {} : { publicOrigin });
	const token = options.token === undefined ? undefined : new Secret(options.token);
	const access = requireMetricsAccess({ token, isLocal: options.isLocal });
	app.get("/metrics", access, (context) => context.text("figures"));
	return (headers: Record<string, string> = {}, url = "http://127.0.0.1:4000/metrics") =>
		app.fetch(new Request(url, { headers }));
}

it("lets this machine in where there is no token, and nobody who came through a proxy", async () => {
	const get = open({ isLocal: true });
	expect((await get()).status).toBe(200);
	expect((await get({}, "http://localhost:4000/metrics")).status).toBe(200);
	expect((await get({}, "http://[::1]:4000/metrics")).status).toBe(200);
	expect((await get({}, "http://stemma.example/metrics")).status).toBe(401);
	for (const name of ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"])
		expect((await get({ [name]: "10.0.0.1" })).status).toBe(401);
});

it("lets nobody in without a token where other machines reach it", async () => {
	const response = await open({ isLocal: false })();
	expect([response.status, (await response.json()).error.code]).toEqual([401, "metrics_token_required"]);
});

it("lets nobody in without a token where a public address is set: a proxy may name this machine and itself not at all", async () => {
	const response = await open({ isLocal: true, publicOrigin: "https://stemma.example" })();
	expect([response.status, (await response.json()).error.code]).toEqual([401, "metrics_token_required"]);
});

it.each([
	"x-forwarded-proto",
	"x-forwarded-port",
	"x-forwarded-server",
	"cf-connecting-ip",
	"true-client-ip",
])("lets nobody in without a token who came with %s", async (name) => {
	expect((await open({ isLocal: true })({ [name]: "a" })).status).toBe(401);
});

it("asks for the token where there is one, of this machine too", async () => {
	const get = open({ token: "t0ken", isLocal: true });
	const response = await get();
	expect([response.status, (await response.json()).error.code]).toEqual([401, "invalid_token"]);
	expect((await get({ authorization: "Bearer t0ke" })).status).toBe(401);
	expect((await get({ authorization: "Bearer t0ken", "x-forwarded-for": "10.0.0.1" })).status).toBe(200);
});
