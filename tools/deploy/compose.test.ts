import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { composeFile, readCompose } from "./read-compose.ts";
import { findLast, flatten, readStages } from "./read-dockerfile.ts";

const { services, secrets, volumes } = await readCompose();
const stages = await readStages();

it("has nothing that the linter knows better", async () => {
	const manifest = createRequire(import.meta.url).resolve("dclint/package.json");
	const linter = fileURLToPath(new URL("bin/dclint.cjs", `file://${manifest}`));
	// The formatter of the repository has its own mind about quotes.
	const rules = ["--max-warnings=0", "--disable-rule=require-quotes-in-ports"];
	const args = [linter, ...rules, "--color=false", fileURLToPath(composeFile)];
	const { stdout } = await promisify(execFile)(process.execPath, args);
	expect(stdout.trim()).toBe("");
});

it("has a service, a runtime and a model", () => {
	expect(Object.keys(services).sort()).toEqual(["ollama", "runtime", "service"]);
});

describe.each(Object.entries(services))("%s", (name, service) => {
	it("has no more rights than it needs", () => {
		expect(service).toMatchObject({
			read_only: true,
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
			init: true,
			mem_limit: expect.stringMatching(/^\d+[mg]$/),
			pids_limit: expect.any(Number),
			tmpfs: [expect.stringMatching(/^\/tmp:size=/)],
		});
		for (const key of ["privileged", "network_mode", "pid", "cap_add", "user"])
			expect(service).not.toHaveProperty(key);
	});

	it("is watched, started again, and has time to end", () => {
		expect(service).toMatchObject({
			restart: "unless-stopped",
			healthcheck: { test: ["CMD", ...(service.healthcheck?.test.slice(1) ?? [])] },
		});
		const grace = Number(/^(\d+)s$/.exec(String(service.stop_grace_period))?.[1]);
		expect(grace).toBeGreaterThan(12);
	});

	it("waits until what it needs is healthy", () => {
		for (const [other, { condition }] of Object.entries(service.depends_on ?? {})) {
			expect(services).toHaveProperty(other);
			expect(condition).toBe("service_healthy");
		}
	});

	it("is reached from this machine alone, where it is at all", () => {
		for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:(\d+):\1$/);
	});

	it("has no secret among its variables, and none of the files is unknown", () => {
		for (const [variable, value] of Object.entries(service.environment ?? {}))
			expect(`${variable}=${value}`).not.toMatch(/SECRET|TOKEN|ENCRYPTION|API_KEY/);
		for (const { source } of service.secrets ?? []) expect(secrets).toHaveProperty(source);
		for (const volume of service.volumes ?? [])
			if (!volume.startsWith(".")) expect(volumes).toHaveProperty(volume.split(":")[0] ?? "");
	});

	it("is an image of one version, or of the Dockerfile", () => {
		if (service.build === undefined) expect(service.image).toMatch(/:\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
		else {
			expect(service.build).toEqual({ context: "..", dockerfile: "deploy/Dockerfile", target: name });
			const image = flatten(stages, service.build.target);
			expect(service.healthcheck?.test).toEqual(["CMD", ...(findLast(image, "HEALTHCHECK")?.args ?? [])]);
			expect(service.ports).toEqual(
				findLast(image, "EXPOSE")?.args.map((port) => `127.0.0.1:${port}:${port}`),
			);
		}
	});
});
