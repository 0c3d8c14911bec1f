import { afterEach, expect, it, vi } from "vitest";
import { agents, createClient } from "../index";
import { serveRun } from "../test-support/fake-run";
import { CLIENT_KEY, useTestServer } from "../test-support/test-client";
import {
	canStreamBodies,
	createIdempotencyKey,
	platformFetch,
	readEnvironment,
	redirectModeForStreams,
} from "./platform";

const server = useTestServer();
afterEach(() => vi.unstubAllGlobals());

it("makes keys without `crypto`, too", () => {
	vi.stubGlobal("crypto", undefined);
	const keys = new Set(Array.from({ length: 100 }, createIdempotencyKey));
	expect(keys.size).toBe(100);
	for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
});

it("does without an environment, and with one that may not be read", () => {
	vi.stubGlobal("process", {
		get env() {
			throw new Error("not allowed");
		},
	});
	expect(readEnvironment("STEMMA_BASE_URL")).toBeUndefined();
	vi.stubGlobal("process", undefined);
	expect(readEnvironment("STEMMA_BASE_URL")).toBeUndefined();
});

it("knows where bodies cannot be streamed", () => {
	expect(canStreamBodies()).toBe(true);
	vi.stubGlobal("Response", class {});
	expect(canStreamBodies()).toBe(false);
	vi.stubGlobal("Response", undefined);
	expect(canStreamBodies()).toBe(false);
});

it("looks `fetch` up when it is needed", () => {
	const fetch = vi.fn();
	vi.stubGlobal("fetch", fetch);
	expect(platformFetch()).toBe(fetch);
});

it("says what is missing where a `fetch` that was passed in gives bytes, and nothing can read them", async () => {
	serveRun(server());
	const options = { clientKey: CLIENT_KEY, baseUrl: server().url, fetch };
	vi.stubGlobal("TextDecoder", undefined);
	await expect(agents(createClient(options)).run("desk", { input: "" })).rejects.toMatchObject({
		name: "ConfigurationError",
		message: expect.stringContaining("`TextDecoder`"),
		hint: expect.stringContaining("`fetch`"),
	});
	expect(server().requests).toHaveLength(1);
});

it.each([
	["Node.js", { versions: { node: "24.0.0", undici: "7.0.0" } }, "error"],
	["others that name a version of Node.js", { versions: { node: "24.0.0" } }, "manual"],
	["browsers", undefined, "manual"],
])("takes the redirect of a stream in %s as it can", (_, process, redirect) => {
	vi.stubGlobal("process", process);
	expect(redirectModeForStreams()).toBe(redirect);
});

it("runs an agent where only the least is there", async () => {
	const { url } = server();
	serveRun(server());
	for (const name of [
		"crypto",
		"structuredClone",
		"DOMException",
		"Request",
		"TextDecoderStream",
		"URLSearchParams",
	])
		vi.stubGlobal(name, undefined);
	vi.stubGlobal("Response", class {});
	const stream = agents(createClient({ clientKey: CLIENT_KEY, baseUrl: url })).stream("desk", { input: "" });
	expect(await stream.text()).toBe("It takes five days.");
});
