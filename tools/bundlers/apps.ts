import { existsSync, readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Harness } from "@stemma/simulators/processes";
import type { ClientServer } from "../packed/client-server";
import { createPackedConsumer, ISOMORPHIC } from "../packed/packed-consumer";

const folder = fileURLToPath(new URL(".", import.meta.url));
const installed = join(folder, "node_modules");

/** `npm run test:all` installs bundlers and frameworks; without the registry it says so, and tests with them are skipped. */
export const isInstalled = existsSync(installed);

/** What the agent `desk` answers to {@link QUESTION}. */
export const ANSWER = "Refunds take five working days [1].";
export const QUESTION = "How long do refunds take?";

/**
 * Copies apps of `apps/` beside one another, into a folder whose `node_modules` has the packages from their tarballs. Returns
 * the folder; React and the tools are found above it.
 */
export async function copyApps(group: string, names: readonly string[]): Promise<string> {
	const consumer = await createPackedConsumer([...ISOMORPHIC, "react"], {
		folder: join(folder, ".stemma", group),
		isCopied: true,
		peers: "none",
	});
	// That of this repository leads to sources.
	await consumer.write("tsconfig.json", "{}\n");
	for (const name of names)
		await cp(join(folder, "apps", name), join(consumer.folder, name), { recursive: true });
	return consumer.folder;
}

/** The script of a tool: `findScript("webpack-cli", "webpack-cli")`. */
export function findScript(tool: string, name = tool): string {
	const { bin } = JSON.parse(readFileSync(join(installed, tool, "package.json"), "utf8"));
	return join(installed, tool, typeof bin === "string" ? bin : bin[name]);
}

/** Environment of what an app runs on a server: where the service is, a secret, and the key that it hands to its pages. */
export const serverEnvironment = ({ options }: ClientServer): Readonly<Record<string, string>> => ({
	STEMMA_BASE_URL: options.baseUrl,
	STEMMA_CLIENT_ID: options.clientId,
	STEMMA_CLIENT_SECRET: options.clientSecret,
	PAGE_KEY: options.clientKey,
});

/** Output of a tool that has to succeed, without colours. */
export async function runTool(
	harness: Harness,
	args: readonly string[],
	cwd: string,
	env: Readonly<Record<string, string>> = {},
): Promise<string> {
	const program = harness.start({ args, cwd, env: { NO_COLOR: "1", NODE_ENV: "production", ...env } });
	const { code } = await program.ended;
	if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}:\n${program.output()}`);
	return program.output();
}
