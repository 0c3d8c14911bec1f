import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkVersions } from "./check-versions";

let project: string;
beforeAll(async () => {
	project = await mkdtemp(join(tmpdir(), "stemma-versions-"));
	await install("@stemma/client", "0.2.0");
	await install("stemma", "0.2.0");
});
afterAll(() => rm(project, { recursive: true, force: true }));

async function install(name: string, version: string): Promise<void> {
	const folder = join(project, "node_modules", name);
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, "package.json"), JSON.stringify({ name, version }));
}

it("finds nothing where all have one version, or nothing is installed", async () => {
	expect(await checkVersions({ own: "0.2.0", project, service: "0.2.0" })).toEqual({
		name: "versions",
		result: "0.2.0",
	});
	expect(await checkVersions({ own: "0.2.0", project: join(project, "none") })).not.toHaveProperty("problem");
});

it("names what has another version", async () => {
	const { problem } = await checkVersions({ own: "0.3.0", project, service: "0.1.0" });
	expect(problem?.message).toBe(
		"This is stemma 0.3.0, beside stemma 0.2.0, @stemma/client 0.2.0, the service 0.1.0.",
	);
});
