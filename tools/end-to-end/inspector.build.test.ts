import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import { createScene } from "./scene";
import { startRuntime, startService } from "./servers";

// Node starts its inspector on SIGUSR1, and whoever reaches the inspector's port runs code in the process.

const scene = createScene();
afterAll(() => scene.end());

it("SIGUSR1 opens no inspector, and ends nothing", async () => {
	const agents = await scene.folder();
	const service = await startService(scene);
	const runtime = await startRuntime(scene, { agents, service });
	const cli = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
	const second = scene.start({
		args: [cli, "runtime", agents, "--port", "0"],
		env: {
			STEMMA_BASE_URL: service.url,
			STEMMA_CLIENT_ID: service.credentials.client_id,
			STEMMA_CLIENT_SECRET: service.credentials.client_secret,
		},
	});
	const [, url = ""] = await second.said(/listens on (http:\/\/[^\s.]+(?:\.\d+)*:\d+)/);
	const programs = [service.program, runtime.program, second];
	// Any other program shows how long the inspector takes to start.
	const plain = scene.start({
		args: ["--inspect-port=0", "-e", 'console.log("ready"); setInterval(() => undefined, 1000)'],
	});
	await plain.said(/ready/);
	for (const program of programs) program.kill("SIGUSR1");
	plain.kill("SIGUSR1");
	await plain.said(/Debugger listening/);
	await new Promise((resolve) => setTimeout(resolve, 500));
	for (const address of [service.url, runtime.url, url])
		expect((await fetch(`${address}/healthz`)).status).toBe(200);
	for (const program of programs) expect(program.output()).not.toMatch(/debugger|inspector/i);
});
