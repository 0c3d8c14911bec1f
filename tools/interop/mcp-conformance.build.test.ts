import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createScene } from "../end-to-end/scene";
import { startService } from "../end-to-end/servers";
import { getAccessToken } from "./access-token";
import { runConformance } from "./conformance";
import { isInstalled, startPeer } from "./peers";

/** Each of its runs spends its time waiting, and the client's start many processes. */
const PATIENCE_MS = 110_000;

const PASSED = "Baseline check passed: all failures are expected.";

describe.skipIf(!isInstalled)("the MCP conformance suite and the client", () => {
	it.concurrent.each([
		{ baseline: "client-0.1", version: "0.1", args: ["--suite", "core"] },
		{ baseline: "client-2025-11-25", version: "0.2", args: ["--requirements", "2025-11-25"] },
		{ baseline: "client-2026-07-28", version: "0.2", args: ["--requirements", "2026-07-28"] },
	] as const)("$baseline", { timeout: PATIENCE_MS }, async ({ baseline, version, args }) => {
		const report = await runConformance(
			version,
			["client", "--command", "node mcp-client.mjs", ...args],
			baseline,
		);
		expect(report).toEqual({ code: 0, summary: expect.stringContaining(PASSED) });
	});
});

describe.skipIf(!isInstalled)("the MCP conformance suite and the service", () => {
	const scene = createScene();
	let url: string;
	beforeAll(async () => {
		const service = await startService(scene);
		const token = await getAccessToken(service);
		const proxy = await startPeer(scene, "credential-proxy", service.url, `Bearer ${token}`);
		url = `${proxy.url}/mcp`;
	});
	afterAll(() => scene.end());

	it.concurrent.each([
		{ baseline: "server-0.1", version: "0.1", args: [], passes: [] },
		{
			baseline: "server-2025-11-25",
			version: "0.2",
			args: ["--requirements", "2025-11-25"],
			passes: ["server-session-lifecycle"],
		},
		{
			baseline: "server-2026-07-28",
			version: "0.2",
			args: ["--requirements", "2026-07-28"],
			passes: ["http-header-validation"],
		},
	] as const)("$baseline", { timeout: PATIENCE_MS }, async ({ baseline, version, args, passes }) => {
		const report = await runConformance(version, ["server", "--url", url, ...args], baseline);
		expect(report).toEqual({ code: 0, summary: expect.stringContaining(PASSED) });
		// What the suite tries, and has no say in whether it passes.
		for (const scenario of passes) expect(report.summary).toContain(`✓ ${scenario}:`);
	});
});
