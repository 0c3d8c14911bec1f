import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { productionFile, readCompose } from "./read-compose.ts";
import { findLast, flatten, readStages } from "./read-dockerfile.ts";

const { services, secrets, volumes } = await readCompose(productionFile);
const image = flatten(await readStages(), "service");

it("has nothing that the linter knows better", async () => {
	const manifest = createRequire(import.meta.url).resolve("dclint/package.json");
	const linter = fileURLToPath(new URL("bin/dclint.cjs", `file://${manifest}`));
	const args = [linter, "--max-warnings=0", "--color=false", fileURLToPath(productionFile)];
	const rules = ["--disable-rule=require-quotes-in-ports", "--disable-rule=no-unbound-port-interfaces"];
	const { stdout } = await promisify(execFile)(process.execPath, [...args, ...rules]);
	expect(stdout.trim()).toBe("");
});

describe.each(Object.entries(services))("%s", (_name, service) => {
	it("has no more rights than it needs, and time to end", () => {
		expect(service).toMatchObject({
			read_only: true,
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
			restart: "unless-stopped",
			mem_limit: expect.stringMatching(/^\d+[mg]$/),
			pids_limit: expect.any(Number),
			stop_grace_period: expect.stringMatching(/^(1[5-9]|[2-9]\d)s$/),
		});
	});

	it("names volumes, secrets and variables that are there, and no secret", () => {
		for (const { source } of service.secrets ?? []) expect(secrets).toHaveProperty(source);
		for (const volume of service.volumes ?? [])
			if (!volume.startsWith(".")) expect(volumes).toHaveProperty(volume.split(":")[0] ?? "");
		for (const [variable, value] of Object.entries(service.environment ?? {}))
			expect(`${variable}=${value}`).not.toMatch(/SECRET|TOKEN|ENCRYPTION|API_KEY/);
	});
});

it("lets the world reach Caddy alone, which alone may bind low ports", () => {
	const { caddy, service } = services;
	expect([caddy?.ports, service?.ports]).toEqual([["0.0.0.0:80:80", "0.0.0.0:443:443"], undefined]);
	expect([caddy?.cap_add, service?.cap_add]).toEqual([["NET_BIND_SERVICE"], undefined]);
});

it("gives Caddy the file that was tried, and each variable that it has no good value for", async () => {
	const file = services.caddy?.volumes?.find((volume) => volume.endsWith(":/etc/caddy/Caddyfile:ro"));
	const text = await readFile(new URL(file?.split(":")[0] ?? "", productionFile), "utf8");
	const variables = [...text.matchAll(/\{\$(\w+):/g)].map(([, variable]) => variable);
	expect(variables).toEqual(expect.arrayContaining(Object.keys(services.caddy?.environment ?? {})));
});

it("has one service, whose check of health is the image's", () => {
	expect(services.service?.deploy).toEqual({ replicas: 1 });
	expect(services.service?.healthcheck?.test).toEqual([
		"CMD",
		...(findLast(image, "HEALTHCHECK")?.args ?? []),
	]);
});
