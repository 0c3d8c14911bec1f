import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startServiceStub } from "./test-support/service-stub";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const children: ChildProcess[] = [];
let folder: string;
let service: Awaited<ReturnType<typeof startServiceStub>>;

beforeAll(async () => {
	service = await startServiceStub();
	folder = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
	await writeFile(join(folder, "desk.json"), '{"nodes":[{"id":"desk","kind":"coordinator"}]}');
	await writeFile(join(folder, "broken.json"), '{"nodes":');
});
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
	service.close();
	await rm(folder, { recursive: true });
});

interface Started {
	readonly child: ChildProcess;
	readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
	/** What was written to standard error, once it has this in it. */
	waitForOutput(text: string): Promise<string>;
}

/** Another user than root, who may read everything. */
const NOBODY_UID = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function start(
	args: readonly string[],
	env: Readonly<Record<string, string>> = {},
	user: { readonly uid?: number; readonly gid?: number } = {},
): Started {
	const child = spawn(process.execPath, [main, ...args], {
		...user,
		env: {
			...process.env,
			STEMMA_CLIENT_ID: "cl_1",
			STEMMA_CLIENT_SECRET: "s3cret",
			STEMMA_BASE_URL: service.url,
			...env,
		},
	});
	children.push(child);
	let stderr = "";
	child.stderr?.on("data", (chunk) => {
		stderr += chunk;
	});
	return {
		child,
		ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, stderr }))),
		waitForOutput: (text) =>
			new Promise((resolve) => {
				const look = (): void => {
					if (stderr.includes(text)) resolve(stderr);
					else child.stderr?.once("data", look);
				};
				look();
			}),
	};
}

/** A service that gives tokens, and says nothing to the first call of a model. */
async function startSilentService() {
	let onAsked = (): void => undefined;
	const requested = new Promise<void>((resolve) => {
		onAsked = resolve;
	});
	const server = createHttpServer((request, response) => {
		if (request.url === "/v1/chat/completions") return onAsked();
		response.setHeader("content-type", "application/json");
		response.end(request.url === "/oauth/token" ? TOKEN : MODELS);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;
	return {
		url: `http://127.0.0.1:${port}`,
		requested,
		close() {
			server.close();
			server.closeAllConnections();
		},
	};
}

const TOKEN = '{"access_token":"t","token_type":"bearer","expires_in":900,"scope":"ask agents:run"}';
const MODELS =
	'{"object":"list","data":[{"id":"default","object":"model","created":1,"owned_by":"stub","stemma":{"provider":"stub","vendor_host":"","payer":"none","reason":"It is a stub."}}]}';

const addressIn = (stderr: string): string => /listens on (http:\S+)\./.exec(stderr)?.[1] ?? "";

describe("stemma-runtime", () => {
	it("serves a folder until it is told to stop, and exits with 0", async () => {
		const runtime = start([folder, "--port", "0", "--grace-ms", "600000"]);
		const stderr = await runtime.waitForOutput("listens on");
		expect(stderr).toMatch(/Ready: desk\. broken\.json invalid: Not JSON at line 1, column 10/);
		const url = addressIn(stderr);
		const response = await fetch(`${url}/run/desk`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"input":"hi"}',
		});
		expect(await response.json()).toMatchObject({ status: "completed", output: "From the service." });
		runtime.child.kill("SIGTERM");
		expect(await runtime.ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining("s3cret") });
	});

	const RUN = { method: "POST", headers: { "content-type": "application/json" }, body: '{"input":"hi"}' };

	/** A runtime with a run that goes on until the service is let go, and its stream so far. */
	async function startBusy(args: readonly string[]) {
		const silent = await startSilentService();
		const runtime = start([folder, "--port", "0", ...args], { STEMMA_BASE_URL: silent.url });
		const url = addressIn(await runtime.waitForOutput("listens on"));
		const headers = { ...RUN.headers, accept: "text/event-stream" };
		const text = fetch(`${url}/run/desk`, { ...RUN, headers }).then((response) => response.text());
		await silent.requested;
		return { ...runtime, url, text, close: silent.close };
	}

	it("on SIGTERM refuses new runs, tells load balancers, and ends what does not end with why", async () => {
		const { child, url, text, ended, waitForOutput, close } = await startBusy(["--grace-ms", "1000"]);
		const since = performance.now();
		child.kill("SIGTERM");
		await waitForOutput("Stopping");
		expect((await fetch(`${url}/healthz`)).status).toBe(503);
		const refused = await fetch(`${url}/run/desk`, RUN);
		expect({ status: refused.status, body: await refused.json() }).toMatchObject({
			status: 503,
			body: { error: { code: "shutting_down" } },
		});
		expect(await text).toMatch(/event: run\.failed\ndata: .*"code":"shutting_down".*\n\n$/);
		expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining("Stopped.") });
		expect(performance.now() - since).toBeGreaterThan(900);
		close();
	});

	it("ends on SIGTERM also while the first check waits for a service that hangs", async () => {
		const hanging = createServer();
		const requested = new Promise((resolve) => hanging.on("connection", resolve));
		await new Promise<void>((resolve) => hanging.listen(0, "127.0.0.1", resolve));
		const { port } = hanging.address() as AddressInfo;
		const env = { STEMMA_BASE_URL: `http://127.0.0.1:${port}` };
		const { child, ended } = start([folder, "--port", "0"], env);
		await requested;
		child.kill("SIGTERM");
		expect((await ended).code).toBe(0);
		hanging.close();
	});

	it.each([
		["SIGTERM", 143],
		["SIGINT", 130],
	] as const)("on a second signal, %s, ends at once with %i", async (signal, code) => {
		const { child, text, ended, waitForOutput, close } = await startBusy(["--grace-ms", "60000"]);
		text.catch(() => undefined);
		child.kill("SIGTERM");
		await waitForOutput("Stopping");
		child.kill(signal);
		expect(await ended).toMatchObject({ code });
		close();
	});

	it("lists a file that it is not allowed to read, and runs the others", async () => {
		const shared = await mkdtemp(join(tmpdir(), "stemma-runtime-"));
		await chmod(shared, 0o755);
		for (const name of ["open.json", "closed.json"])
			await writeFile(join(shared, name), '{"nodes":[{"id":"desk","kind":"coordinator"}]}');
		await chmod(join(shared, "closed.json"), 0);
		const stderr = await start([shared, "--port", "0"], {}, NOBODY_UID).waitForOutput("listens on");
		expect(stderr).toMatch(/Ready: open\. closed\.json invalid: .*permissions/);
		await rm(shared, { recursive: true });
	});

	it("demands the token of the environment", async () => {
		const url = addressIn(
			await start([folder, "--port", "0"], { STEMMA_RUNTIME_TOKEN: "t0ken" }).waitForOutput("listens on"),
		);
		expect((await fetch(`${url}/agents`)).status).toBe(401);
		const response = await fetch(`${url}/agents`, { headers: { authorization: "Bearer t0ken" } });
		expect(response.status).toBe(200);
	});

	it.each([
		[
			"a bad file, when it is strict",
			["FOLDER", "--strict"],
			/1 of 2 agent files are not valid\. broken\.json invalid: /,
		],
		["an unknown option", ["FOLDER", "--prot", "1"], /Unknown option '--prot'\.\nhint: .*--help/],
		["an open address without a token", ["FOLDER", "--host", "0.0.0.0"], /STEMMA_RUNTIME_TOKEN/],
		["no folder", [], /The folder of agent files is missing/],
	])("refuses %s with 1", async (_, args, message) => {
		const { code, stderr } = await start(args.map((arg) => arg.replace("FOLDER", folder))).ended;
		expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
		expect(stderr).not.toMatch(/^\s+at /m);
	});

	it("says so when the port is in use", async () => {
		const taken = createServer().listen(0, "127.0.0.1");
		await new Promise((resolve) => taken.once("listening", resolve));
		const address = taken.address();
		const port = typeof address === "object" && address !== null ? String(address.port) : "";
		const { code, stderr } = await start([folder, "--port", port]).ended;
		taken.close();
		expect({ code, stderr }).toEqual({
			code: 1,
			stderr: expect.stringContaining(
				`Listening on 127.0.0.1, port ${port}, failed: another program uses this port`,
			),
		});
	});
});
