import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { startOtlpReceiver } from "@stemma/simulators/otlp-receiver";
import { expect, it } from "vitest";
import { createPackedConsumer, ISOMORPHIC } from "../packed/packed-consumer";
import { findInstalled } from "./run-program";

const folder = `${process.platform}-${process.arch}`;
const NODES = [18, 20, 22].map((version) => ({
	version,
	binary: findInstalled(`node${version}-${folder}/bin/node`),
}));

const PROGRAM = "node_modules/@stemma/runtime/dist/main.js";

/** Starts `stemma-runtime` where spans are wanted, runs an agent, and stops it. */
async function runAgent(binary: string, hasOptionalPeers: boolean) {
	const receiver = await startOtlpReceiver();
	const consumer = await createPackedConsumer([...ISOMORPHIC, "a2a-server", "runtime"], {
		peers: hasOptionalPeers ? "all" : "required",
	});
	await mkdir(`${consumer.folder}/agents`);
	await consumer.write("agents/desk.json", '{"nodes":[{"id":"desk","kind":"coordinator"}]}');
	const env = {
		OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
		STEMMA_CLIENT_ID: "cl_1",
		STEMMA_CLIENT_SECRET: "s3cret",
		// Nobody is there: the run fails, and has its span all the same.
		STEMMA_BASE_URL: "http://127.0.0.1:9",
	};
	const child = spawn(binary, [PROGRAM, "agents", "--port", "0"], { cwd: consumer.folder, env });
	try {
		let stderr = "";
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		await expect.poll(() => stderr).toContain("listens on");
		const url = /listens on (http:\S+)\./.exec(stderr)?.[1];
		const headers = { "content-type": "application/json" };
		const response = await fetch(`${url}/run/desk`, { method: "POST", headers, body: '{"input":"hi"}' });
		child.kill("SIGTERM");
		const [code] = await once(child, "close");
		return { status: response.status, code, stderr, names: receiver.spans.map(({ name }) => name) };
	} finally {
		child.kill("SIGKILL");
		receiver.close();
		await consumer.remove();
	}
}

it.each(NODES)(
	"stemma-runtime on Node $version runs without OpenTelemetry and says what to install",
	async ({ binary }) => {
		if (binary === undefined) return;
		const { status, code, stderr, names } = await runAgent(binary, false);
		expect([status, code, names]).toEqual([200, 0, []]);
		expect(stderr).toContain("warning: OTEL_EXPORTER_OTLP_ENDPOINT is set");
		expect(stderr).toContain("npm install @opentelemetry/api@");
	},
);

it.each(NODES)(
	"stemma-runtime on Node $version sends spans where OpenTelemetry is installed",
	async ({ binary }) => {
		if (binary === undefined) return;
		const { status, code, stderr, names } = await runAgent(binary, true);
		expect([status, code]).toEqual([200, 0]);
		expect(stderr).not.toContain("OpenTelemetry");
		expect(names).toContain("invoke_agent desk");
	},
);
