import { fileURLToPath } from "node:url";
import { createHarness } from "@stemma/simulators/processes";
import { afterAll, expect, it } from "vitest";
import { startRuntime, startService } from "./servers";

// Node starts its inspector on SIGUSR1, and whoever reaches the inspector's port runs code in the process.

const harness = createHarness();
afterAll(() => harness.end());

it("SIGUSR1 opens no inspector, and ends nothing", async () => {
	const agents = await harness.folder();
	const service = await startService(harness);
	const runtime = await startRuntime(harness, { agents, service });
	const cli = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
	const second = harness.start({
		args: [cli, "runtime", agents, "--port", "0"],
		env: {
			STEMMA_BASE_URL: service.url,
			STEMMA_CLIENT_ID: service.credentials.client_id,
			STEMMA_CLIENT_SECRET: service.credentials.client_secret,
		},
	});
	const [, url = ""] = await second.waitForOutput(/listens on (http:\/\/[^\s.]+(?:\.\d+)*:\d+)/);
	const programs = [service.program, runtime.program, second];
	// Any other program shows how long the inspector takes to start.
	const plain = harness.start({
		args: ["--inspect-port=0", "-e", 'console.log("ready"); setInterval(() => undefined, 1000)'],
	});
	await plain.waitForOutput(/ready/);
	for (const program of programs) program.kill("SIGUSR1");
	plain.kill("SIGUSR1");
	await plain.waitForOutput(/Debugger listening/);
	await new Promise((resolve) => setTimeout(resolve, 500));
	for (const address of [service.url, runtime.url, url])
		expect((await fetch(`${address}/healthz`)).status).toBe(200);
	for (const program of programs) expect(program.output()).not.toMatch(/debugger|inspector/i);
});
