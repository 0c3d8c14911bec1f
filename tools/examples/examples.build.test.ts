import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));
const programs = readdirSync(examples).filter((name) => existsSync(join(examples, name, "index.mjs")));

it.each(programs)("the example %s runs", async (name) => {
	const { stderr } = await promisify(execFile)(process.execPath, ["index.mjs"], {
		cwd: join(examples, name),
	});
	expect(stderr).toBe("");
});
