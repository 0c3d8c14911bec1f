import { join } from "node:path";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientServer, startClientServer } from "../packed/client-server";
import { copyApps, findScript, isInstalled, runTool, serverEnvironment } from "./apps";

const harness = createHarness();

/** What Node itself needs to let Jest load modules, and to say nothing of it. */
const MODULES = ["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"];

const JEST = [
	{ name: "CommonJS", app: "jest-cjs", node: [] },
	{ name: "ES modules", app: "jest-esm", node: MODULES },
];

describe.skipIf(!isInstalled)("Jest", () => {
	let apps: string;
	let server: ClientServer;
	beforeAll(async () => {
		[apps, server] = await Promise.all([
			copyApps(
				"jest",
				JEST.map(({ app }) => app),
			),
			startClientServer(),
		]);
	});
	afterAll(() => Promise.all([server?.close(), harness.end()]));

	it.concurrent.each(JEST)("runs tests that use the packed packages as $name", async ({ app, node }) => {
		const args = [...node, findScript("jest"), "--ci", "--watchman=false", "--cacheDirectory=.jest"];
		const env = { ...serverEnvironment(server), NODE_ENV: "test" };
		const output = await runTool(harness, args, join(apps, app), env);
		expect(output).toMatch(/^Tests: +3 passed, 3 total$/m);
		expect(output).not.toMatch(/warn|console\.|did not exit/i);
	});
});
