import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startServiceStub } from "../test-support/service-stub";

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

it("sends the spans of stemma-runtime where OTEL_EXPORTER_OTLP_ENDPOINT says, at the latest when it stops", async () => {
	const received: string[] = [];
	const collector = createServer(async (request, response) => {
		let json = "";
		for await (const chunk of request) json += chunk;
		received.push(json);
		response.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await once(collector.listen(0, "127.0.0.1"), "listening");
	const { port } = collector.address() as AddressInfo;
	const service = await startServiceStub();
	const folder = await mkdtemp(join(tmpdir(), "stemma-spans-"));
	await writeFile(join(folder, "desk.json"), '{"nodes":[{"id":"desk","kind":"coordinator"}]}');
	const child = spawn(process.execPath, [main, folder, "--port", "0"], {
		env: {
			STEMMA_CLIENT_ID: "cl_1",
			STEMMA_CLIENT_SECRET: "s3cret",
			STEMMA_BASE_URL: service.url,
			OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
		},
	});
	try {
		let stderr = "";
		while (!stderr.includes("listens on")) stderr += (await once(child.stderr, "data"))[0];
		const url = /listens on (http:\S+)\./.exec(stderr)?.[1];
		await fetch(`${url}/run/desk`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"input":"s3cret?"}',
		});
		child.kill("SIGTERM");
		expect((await once(child, "close"))[0]).toBe(0);
		const spans = received.flatMap((json) => JSON.parse(json).resourceSpans[0].scopeSpans[0].spans);
		expect(spans.map(({ name }: { name: string }) => name)).toEqual(
			expect.arrayContaining(["invoke_agent desk", "chat stub"]),
		);
		expect(received.join("")).not.toContain("s3cret");
	} finally {
		child.kill("SIGKILL");
		service.close();
		collector.close();
		await rm(folder, { recursive: true });
	}
});
