import { isBuiltin } from "node:module";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Backends, startBackends } from "../packed/backends";
import { EXPOSED, expectedOfClient } from "../packed/scenarios/client-scenario.mjs";
import { expected } from "../packed/scenarios/scenario.mjs";
import { type AppHost, startApp } from "./app-host";
import { type AppBundle, bundleApp, isMetroInstalled } from "./bundle-app";

describe.skipIf(!isMetroInstalled)("the packed packages, bundled by Metro for iOS and minified", () => {
	let bundle: AppBundle;
	let backends: Backends;
	beforeAll(async () => {
		[bundle, backends] = await Promise.all([
			bundleApp({ platform: "ios", isMinified: true }),
			startBackends(),
		]);
	});
	afterAll(() => backends?.close());

	const start = (): AppHost => startApp(bundle.code, { platform: "ios" });

	it("take the entries for React Native and nothing of Node, without a warning", () => {
		expect(bundle.imports["@stemma/client"]).toBe("node_modules/@stemma/client/dist/index.cjs");
		expect(Object.keys(bundle.imports).filter((specifier) => isBuiltin(specifier))).toEqual([]);
		expect(bundle.code).not.toMatch(/["'`]node:/);
		expect(bundle.warnings).toEqual([]);
	});

	it("run a graph", async () => {
		const app = start();
		expect(await app.call("scenario")).toEqual(expected);
		expect(app.problems).toEqual([]);
	});

	it("do with a service what a client can, and stream over XMLHttpRequest", async () => {
		const app = start();
		const outcome = await app.call("clientScenario", JSON.stringify(backends.settings.client));
		expect(outcome).toEqual({ ...expectedOfClient, ...EXPOSED });
		expect(app.problems).toEqual([]);
		const streamed = app.requests.filter(({ headers }) => headers.accept === "text/event-stream");
		expect(streamed.length).toBeGreaterThan(5);
		expect(streamed.filter(({ isIncremental }) => !isIncremental)).toEqual([]);
		await expect.poll(() => app.requests.filter(({ end }) => end === undefined)).toEqual([]);
	});

	it("show the answer of the example app, and what it rests on", async () => {
		const app = start();
		const { baseUrl, clientKey, agent } = backends.settings.client;
		await app.call("showExample", JSON.stringify({ BASE_URL: baseUrl, CLIENT_KEY: clientKey, AGENT: agent }));
		await expect.poll(() => [app.screen.text(), ...app.problems].join("\n")).toContain("Ask");
		app.screen.type("Question", "How long do refunds take?");
		await vi.waitFor(() => app.screen.press("Ask"), 30_000);
		await expect.poll(() => app.screen.text()).toContain("completed");
		expect(app.screen.text().split("\n")).toEqual([
			"How long do refunds take?",
			"Refunds take five working days [1].",
			"[1] Refunds",
			"completed",
			"Ask",
		]);
		expect(app.problems).toEqual([]);
	});
});
