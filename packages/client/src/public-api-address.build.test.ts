import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test, vi } from "vitest";
import type * as Module from "./create-client";

/** The sources with another address in that file. */
async function buildFor(address: string | undefined): Promise<typeof Module> {
	const { outputFiles } = await build({
		entryPoints: [fileURLToPath(new URL("create-client.ts", import.meta.url))],
		bundle: true,
		format: "esm",
		platform: "neutral",
		write: false,
		plugins: [
			{
				name: "address",
				setup: ({ onLoad }) =>
					onLoad({ filter: /public-api-address\.ts$/ }, () => ({
						contents: `export const PUBLIC_API_ADDRESS = ${JSON.stringify(address)};`,
					})),
			},
		],
	});
	const code = Buffer.from(outputFiles[0]?.contents ?? "").toString("base64");
	return (await import(`data:text/javascript;base64,${code}`)) as typeof Module;
}

test("a build for one service needs no address; the option and the environment come first", async () => {
	const { createClient } = await buildFor("https://api.stemma.example");
	expect(createClient({ clientKey: "ck_1" }).baseUrl).toBe("https://api.stemma.example");
	expect(createClient({ clientKey: "ck_1", baseUrl: "https://own.example" }).baseUrl).toBe(
		"https://own.example",
	);
	expect(() => createClient({ clientKey: "ck_1", baseUrl: "" })).toThrow("`baseUrl` is missing");
	vi.stubEnv("STEMMA_BASE_URL", "https://environment.example");
	expect(createClient({ clientKey: "ck_1" }).baseUrl).toBe("https://environment.example");
	vi.unstubAllEnvs();
});

test("a build for none asks for one", async () => {
	const { createClient } = await buildFor(undefined);
	expect(() => createClient({ clientKey: "ck_1" })).toThrow("`baseUrl` is missing");
});
