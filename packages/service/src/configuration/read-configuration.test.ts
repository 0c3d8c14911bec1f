import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfiguration } from "./read-configuration";

let workingFolder: string;
beforeAll(async () => {
	workingFolder = await mkdtemp(join(tmpdir(), "stemma-configuration-"));
});
afterAll(() => rm(workingFolder, { recursive: true }));

const read = (file?: string) => readConfiguration({ file, workingFolder, environment: {} });

test("needs no file, unless one is named", async () => {
	expect((await read()).data).toBe(join(workingFolder, "stemma-data"));
	await expect(read("other.json")).rejects.toMatchObject({
		name: "ConfigurationError",
		message: `${join(workingFolder, "other.json")}: There is no such file.`,
	});
});

test("reads stemma.config.json of the working folder, or the file that is named", async () => {
	await writeFile(join(workingFolder, "stemma.config.json"), '\uFEFF{"listen": {"port": 1}}');
	await writeFile(join(workingFolder, "named.json"), '{"listen": {"port": 2}}');
	expect((await read()).listen.port).toBe(1);
	expect((await read("named.json")).listen.port).toBe(2);
});

test("says where a file is not JSON", async () => {
	await writeFile(join(workingFolder, "broken.json"), '{\n\t"chat": s3cret\n}');
	const error = await read("broken.json").catch((error: unknown) => error);
	expect(error).toMatchObject({
		message: "broken.json is not JSON: a value is expected (line 2, column 10).",
	});
});
