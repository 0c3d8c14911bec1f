import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestCli, type TestCli, waitForExit } from "./test-support/command";

let cli: TestCli;
beforeAll(async () => {
	cli = await createTestCli();
});
afterAll(() => cli.close());

const doctor = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
	waitForExit(cli.start(["doctor", ...args], environment));

it("says before the first start whether it would succeed, and leaves nothing behind", async () => {
	const { code, stdout, stderr } = await doctor({ STEMMA_LISTEN_PORT: "0" });
	expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
	for (const name of ["Node", "versions", "disk", "port", "keys", "model", "clock"])
		expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, "m"));
	expect(stdout).toMatch(/No problems\.\n$/);
	expect(await readdir(cli.folder)).toEqual([]);
});

it("says what is in the way, and what to do: a port, a vendor, half a credential", async () => {
	const other = createServer((_, response) => response.writeHead(401).end()).listen(0, "127.0.0.1");
	await once(other, "listening");
	const { port } = other.address() as AddressInfo;
	const settings = {
		listen: { port },
		providers: {
			vendor: {
				...{ provider: "openai-compatible", base_url: `http://127.0.0.1:${port}/v1`, default_model: "small" },
				credential: { value: "sk-secret" },
			},
		},
		chat: "vendor",
	};
	await writeFile(join(cli.folder, "settings.json"), JSON.stringify(settings));
	const args = ["--config", "settings.json"];
	const { code, stdout } = await doctor({ STEMMA_CLIENT_ID: "cl_1" }, ...args);
	expect(code).toBe(1);
	for (const problem of ["port_in_use", "model_key_refused", "missing_credentials"])
		expect(stdout).toMatch(new RegExp(`^error: .* \\(${problem}\\)\n {2}\\S`, "m"));
	expect(stdout).toMatch(/3 errors, 0 warnings\.\n$/);
	expect(stdout).not.toContain("sk-secret");
	const offline = await doctor({}, ...args, "--offline", "--json");
	expect(JSON.parse(offline.stdout).problems).toMatchObject([{ code: "port_in_use", file: null }]);
	other.close();
});
