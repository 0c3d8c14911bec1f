import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { readCompose, scaledFile } from "./read-compose.ts";

const { services, secrets, volumes } = await readCompose(scaledFile);

it("has nothing that the linter knows better", async () => {
	const manifest = createRequire(import.meta.url).resolve("dclint/package.json");
	const linter = fileURLToPath(new URL("bin/dclint.cjs", `file://${manifest}`));
	const args = [linter, "--max-warnings=0", "--color=false", fileURLToPath(scaledFile)];
	const rules = ["--disable-rule=require-quotes-in-ports", "--disable-rule=no-unbound-port-interfaces"];
	const { stdout } = await promisify(execFile)(process.execPath, [...args, ...rules]);
	expect(stdout.trim()).toBe("");
});

describe.each(Object.entries(services))("%s", (_name, service) => {
	it("has no more rights than it needs, and names what is there", async () => {
		expect(service).toMatchObject({
			read_only: true,
			cap_drop: ["ALL"],
			security_opt: ["no-new-privileges:true"],
			restart: "unless-stopped",
		});
		for (const { source } of service.secrets ?? []) expect(secrets).toHaveProperty(source);
		for (const volume of service.volumes ?? []) {
			const [source = ""] = volume.split(":");
			if (source.startsWith(".")) await access(new URL(source, scaledFile));
			else expect(volumes).toHaveProperty(source);
		}
	});
});

it("has two instances that keep nothing, and lets the world reach Caddy alone, which knows both", () => {
	const instances = Object.keys(services).filter((name) => name.startsWith("instance-"));
	expect(instances).toHaveLength(2);
	for (const name of instances) {
		expect(services[name]).toMatchObject({
			tmpfs: expect.arrayContaining([expect.stringMatching(/^\/data:/)]),
		});
		expect(services[name]?.volumes).toBeUndefined();
	}
	expect(services.caddy?.environment?.STEMMA_UPSTREAMS).toBe(
		instances.map((name) => `${name}:4000`).join(" "),
	);
	expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(["caddy"]);
});

it("commands of its guide that run within a container read the secret, which has the address of the database", async () => {
	const guide = await readFile(new URL("../../docs/scaling.md", import.meta.url), "utf8");
	const commands = guide.split("\n").filter((line) => / exec .*dist\/main\.js/.test(line));
	expect(commands).toHaveLength(2);
	const reading = "node --env-file=/run/secrets/stemma.env dist/main.js";
	expect(commands.filter((command) => !command.includes(reading))).toEqual([]);
});
