import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readDataFolder } from "./data-folder";
import { serviceFile, writeServiceFile } from "./service-file";
import { findConnection } from "./with-service";

const ADDRESS = "http://127.0.0.1:5000";
let folder: string;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "stemma-folder-"));
	await writeFile(
		join(folder, "first-credentials.json"),
		JSON.stringify({ client_id: "cl_1", client_secret: "cs_secret" }),
	);
});
afterEach(async () => {
	vi.restoreAllMocks();
	await rm(folder, { recursive: true, force: true });
});

async function killedProcess(): Promise<number | undefined> {
	const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
	await once(child, "spawn");
	child.kill("SIGKILL");
	await once(child, "exit");
	return child.pid;
}

describe("the address of a data folder's service", () => {
	it("is used while its process runs", async () => {
		await writeServiceFile(folder, ADDRESS);
		expect(await findConnection({ data: folder }, {})).toMatchObject({
			url: ADDRESS,
			clientSecret: "cs_secret",
		});
	});

	it("is used for a process of another user", async () => {
		vi.spyOn(process, "kill").mockImplementation(() => {
			throw Object.assign(new Error("Not yours."), { code: "EPERM" });
		});
		await writeServiceFile(folder, ADDRESS);
		expect(await readDataFolder(folder)).toMatchObject({ url: ADDRESS });
	});

	it("is not used after a kill: no service is there, whoever listens", async () => {
		await writeFile(serviceFile(folder), JSON.stringify({ url: ADDRESS, pid: await killedProcess() }));
		await expect(findConnection({ data: folder }, {})).rejects.toMatchObject({
			code: "connection_failed",
			message: `No service answers at ${ADDRESS}.`,
			hint: expect.stringContaining('Start one with "stemma serve"'),
		});
		expect(await findConnection({ data: folder, url: "http://told" }, {})).toMatchObject({
			url: "http://told",
		});
	});

	it.each([undefined, 0, -1, 1.5, "1"])("is not used with the process id %j", async (pid) => {
		await writeFile(serviceFile(folder), JSON.stringify({ url: ADDRESS, pid }));
		expect(await readDataFolder(folder)).not.toHaveProperty("url");
	});
});
