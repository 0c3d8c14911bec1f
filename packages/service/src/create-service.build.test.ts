import { type ChildProcess, spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createService, resolveConfiguration, startService } from "@stemma/service";
import { findStablePort } from "@stemma/simulators/processes";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { version } from "../package.json";
import { getToken, startTestService, type TestService } from "./http/test-support/test-service";

let folder: string;
beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-service-"));
});
afterAll(() => rm(folder, { recursive: true }));

const configure = (data: string, listen: { host?: string; port?: number } = { port: 0 }) =>
	resolveConfiguration({ content: { data, listen, log: { level: "silent" } } });

describe("a first start", () => {
	let testService: TestService;
	afterEach(() => testService.end());

	test("writes the first credentials for its owner's eyes alone, and a later one leaves them", async () => {
		testService = await startTestService();
		const { path, isNew } = testService.current().bootstrapCredentials;
		expect([path, isNew]).toEqual([join(testService.folder, "first-credentials.json"), true]);
		expect(((await stat(path)).mode & 0o777).toString(8)).toBe("600");
		expect(((await stat(join(testService.folder, "deployment.sqlite"))).mode & 0o777).toString(8)).toBe(
			"600",
		);
		expect(Object.keys(testService.credentials)).toEqual([
			"workspace_id",
			"client_id",
			"client_secret",
			"client_key",
		]);
		const before = await readFile(path, "utf8");
		await testService.restart();
		expect(testService.current().bootstrapCredentials).toEqual({ path, isNew: false });
		expect(await readFile(path, "utf8")).toBe(before);
		await rm(path);
		await testService.restart();
		expect(await readdir(testService.folder)).not.toContain("first-credentials.json");
	});

	test("keeps no secret in the store", async () => {
		testService = await startTestService();
		await testService.current().close(0);
		const names = await readdir(testService.folder, { recursive: true, withFileTypes: true });
		const files = names.filter((entry) => entry.isFile() && entry.name !== "first-credentials.json");
		expect(files.length).toBeGreaterThan(1);
		const { client_secret, client_key } = testService.credentials;
		for (const entry of files) {
			const text = await readFile(join(entry.parentPath, entry.name), "latin1");
			for (const secret of [client_secret.slice(3), client_key.slice(30)]) expect(text).not.toContain(secret);
		}
	});

	test("that was cut off goes on with the secrets that it had written", async () => {
		testService = await startTestService();
		const before = testService.credentials;
		await testService.current().close(0);
		// As if the file had been written, and nothing else.
		for (const name of await readdir(testService.folder))
			if (name !== "first-credentials.json") await rm(join(testService.folder, name), { recursive: true });
		const service = await createService(configure(testService.folder));
		expect(await getToken(service, before)).toMatch(/^tok_/);
		expect(JSON.parse(await readFile(service.bootstrapCredentials.path, "utf8"))).toEqual(before);
		await service.close(0);
	});

	test("gives a client key for its own pages and for phones", async () => {
		testService = await startTestService();
		const credential = testService.credentials.client_key;
		for (const origin of ["http://127.0.0.1:4000", "http://localhost:4000", undefined]) {
			const answer = await testService.send("/v1/runs/run_none", {
				credential,
				headers: origin === undefined ? {} : { origin },
			});
			// Let in, and there is no such run.
			expect(answer.status).toBe(404);
		}
	});
});

test("a restart keeps clients, keys and tokens", async () => {
	const testService = await startTestService();
	const token = await getToken(testService.current(), testService.credentials);
	await testService.restart();
	expect((await testService.send("/v1/clients", { credential: token })).status).toBe(200);
	const asKey = await testService.send("/v1/runs/run_none", {
		credential: testService.credentials.client_key,
	});
	expect(asKey.status).toBe(404);
	expect(await getToken(testService.current(), testService.credentials)).toMatch(/^tok_/);
	await testService.end();
});

test("a workspace may send so many requests a minute, all its callers together", async () => {
	const testService = await startTestService({ limits: { requests_per_minute: 3 } });
	const statuses = [];
	for (let request = 0; request < 4; request++) statuses.push((await testService.send("/v1/clients")).status);
	expect(statuses).toEqual([200, 200, 200, 429]);
	const other = await testService.current().createWorkspace("other");
	const credential = await getToken(testService.current(), other);
	expect((await testService.send("/v1/clients", { credential })).status).toBe(200);
	await testService.end();
});

describe("a data folder", () => {
	test("is made where it is missing, for its owner alone", async () => {
		const data = join(folder, "deep", "data");
		await (await createService(configure(data))).close(0);
		expect(((await stat(data)).mode & 0o777).toString(8)).toBe("700");
	});
	test("has one service at a time", async () => {
		const data = join(folder, "shared");
		const first = await createService(configure(data));
		await expect(createService(configure(data))).rejects.toMatchObject({ code: "data_folder_in_use" });
		await first.close(0);
		await (await createService(configure(data))).close(0);
	});
	test("that is a file, or lies in one, is refused", async () => {
		const file = join(folder, "file");
		await writeFile(file, "");
		for (const data of [file, join(file, "data")])
			await expect(createService(configure(data))).rejects.toMatchObject({
				name: "ConfigurationError",
				code: "data_folder_unusable",
				hint: expect.stringContaining("STEMMA_DATA_FOLDER"),
			});
	});
	test("that is damaged is refused, and named as such", async () => {
		const data = join(folder, "damaged");
		await (await createService(configure(data))).close(0);
		await writeFile(join(data, "deployment.sqlite"), "no database".repeat(1000));
		await expect(createService(configure(data))).rejects.toMatchObject({ code: "storage_corrupt" });
	});
	test.skipIf(process.platform === "win32")("that this user may not write is refused", async () => {
		const data = join(folder, "read-only");
		await (await createService(configure(data))).close(0);
		await chmod(data, 0o500);
		await chmod(folder, 0o755);
		try {
			expect(await startAsOtherUser(data)).toContain("this user may not write there");
		} finally {
			await chmod(data, 0o700);
		}
	});
});

/** Starts a service as a user without rights: tests may run as root, who may write everywhere. Gives its error. */
async function startAsOtherUser(data: string): Promise<string> {
	const entry = fileURLToPath(new URL("../dist/index.js", import.meta.url));
	const script = `
		if (process.getuid() === 0) process.setuid(65534);
		const { createService, resolveConfiguration } = await import(${JSON.stringify(entry)});
		await createService(resolveConfiguration({ content: { data: ${JSON.stringify(data)} } })).catch((error) => console.log(error.message));
	`;
	const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", script]);
	let output = "";
	child.stdout?.on("data", (chunk) => (output += chunk));
	child.stderr?.on("data", (chunk) => (output += chunk));
	await new Promise((resolve) => child.on("close", resolve));
	return output;
}

describe("a service that listens", () => {
	test("answers on its port, then ends", async () => {
		const running = await startService(configure(join(folder, "listening")));
		expect(running.url).toBe(`http://127.0.0.1:${running.port}`);
		expect(await (await fetch(`${running.url}/healthz`)).json()).toEqual({ status: "ok", version });
		expect(await (await fetch(`${running.url}/readyz`)).json()).toEqual({ status: "ready", version });
		await running.close(0);
		await expect(fetch(`${running.url}/healthz`)).rejects.toThrow();
	});
	test("shares its port with an app, which answers first", async () => {
		const running = await startService(configure(join(folder, "shared")), {
			handle: ({ url }) =>
				new URL(url).pathname === "/shop" ? Promise.resolve(new Response("Shop")) : undefined,
		});
		expect(await (await fetch(`${running.url}/shop`)).text()).toBe("Shop");
		expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
		await running.close(0);
	});
	test("says so when the port is taken, and touches no data folder", async () => {
		const taken = await occupy();
		const data = join(folder, "untouched");
		const { port } = taken.address() as { port: number };
		await expect(startService(configure(data, { port }))).rejects.toMatchObject({
			name: "ConfigurationError",
			code: "port_in_use",
			message: `Listening on 127.0.0.1, port ${port}, failed: another program uses this port.`,
			hint: expect.stringContaining("STEMMA_LISTEN_PORT"),
		});
		expect(await readdir(folder)).not.toContain("untouched");
		taken.close();
	});
	test("says so when the address is not this machine's", async () => {
		const configuration = configure(join(folder, "elsewhere"), { host: "203.0.113.1", port: 0 });
		await expect(startService(configuration)).rejects.toMatchObject({ code: "cannot_listen" });
	});
	test("gives the port back when the data folder cannot be used", async () => {
		const port = await findStablePort();
		await writeFile(join(folder, "no-folder"), "");
		await expect(startService(configure(join(folder, "no-folder"), { port }))).rejects.toMatchObject({
			code: "data_folder_unusable",
		});
		await (await startService(configure(join(folder, "after"), { port }))).close(0);
	});
	test("refuses headers that are too large, and a body that is too large, over the wire", async () => {
		const running = await startService(configure(join(folder, "sizes")));
		const huge = await fetch(`${running.url}/healthz`, { headers: { "x-huge": "x".repeat(20_000) } });
		expect(huge.status).toBe(431);
		const path = running.bootstrapCredentials.path;
		const credentials = JSON.parse(await readFile(path, "utf8"));
		const form = { grant_type: "client_credentials", ...credentials };
		const token = await (
			await fetch(`${running.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })
		).json();
		const answer = await fetch(`${running.url}/v1/clients`, {
			method: "POST",
			headers: { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" },
			body: JSON.stringify({ name: "x".repeat(3_000_000) }),
		});
		expect([answer.status, (await answer.json()).error.code]).toEqual([413, "body_too_large"]);
		await running.close(0);
	});
});

function occupy(): Promise<Server> {
	const server = createServer();
	return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

describe("closing", () => {
	test("can be asked for twice, and answers 503 from then on", async () => {
		const testService = await startTestService();
		const closing = testService.current().close(0);
		const answer = await testService.send("/v1/clients");
		expect([answer.status, answer.body.error.code]).toEqual([503, "shutting_down"]);
		expect((await testService.send("/readyz")).body).toEqual({ status: "stopping" });
		expect((await testService.send("/healthz")).status).toBe(200);
		await Promise.all([closing, testService.current().close(0)]);
		await rm(testService.folder, { recursive: true });
	});
});
