import type { AgentGraph } from "@stemma/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { assertDistinctSecrets, resolveSecret, toSecretSource } from "./secret-source";

afterEach(() => vi.unstubAllEnvs());

const resolve = (secrets: Parameters<typeof toSecretSource>[0], name: string) =>
	resolveSecret(toSecretSource(secrets), name, "https://mcp.example");

describe("secrets", () => {
	it("come from the environment, or from the option alone", async () => {
		vi.stubEnv("STEMMA_TOOL_BILLING", "from-the-environment");
		expect(await resolve(undefined, "billing")).toBe("from-the-environment");
		expect(await resolve({ billing: "given" }, "billing")).toBe("given");
		expect(await resolve(async (name, url) => `${name} for ${url}`, "billing")).toBe(
			"billing for https://mcp.example",
		);
		for (const secrets of [{}, () => undefined])
			await expect(resolve(secrets, "billing")).rejects.toMatchObject({
				code: "secret_missing",
				message: 'There is no value for the secret "billing".',
				hint: expect.stringMatching(/^Give it in the option `secrets`/),
			});
		await expect(resolve({}, "constructor")).rejects.toMatchObject({ code: "secret_missing" });
	});

	it("that are missing are named with their variable, also where there is no environment", async () => {
		vi.stubEnv("STEMMA_TOOL_BILLING", "");
		const missing = { message: 'There is no value for the secret "billing" (STEMMA_TOOL_BILLING).' };
		await expect(resolve(undefined, "billing")).rejects.toMatchObject(missing);
		vi.stubGlobal("process", undefined);
		const failed = resolve(undefined, "billing").catch((error: unknown) => error);
		const error = await failed;
		vi.unstubAllGlobals();
		expect(error).toMatchObject({ ...missing, hint: expect.stringContaining("`secrets`") });
		expect(await resolveSecret(undefined, undefined, "https://mcp.example")).toBeUndefined();
	});

	it("of two names that would be one variable are refused", () => {
		const graph = (...names: readonly string[]): AgentGraph => ({
			nodes: [
				{ id: "desk", kind: "coordinator" },
				...names.map((secret, index) => ({
					id: `n${index}`,
					kind: "remote" as const,
					url: "https://a.example",
					auth: { secret },
				})),
			],
		});
		expect(() => assertDistinctSecrets(graph("my-key", "my-key", "other"))).not.toThrow();
		expect(() => assertDistinctSecrets(graph("my-key", "MY_KEY"))).toThrow(
			'The secrets "my-key" and "MY_KEY" of the graph would both be the variable STEMMA_TOOL_MY_KEY.',
		);
	});
});
