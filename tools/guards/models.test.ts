import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));
const MODELS = /import \{[^}]*\b(create(?!CapabilityCache)\w+|fromAiSdk)\b[^}]*\} from "@stemma\/routing\//;

const list = (folder: string): string[] =>
	readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts") && !file.includes(".test.") && !file.includes("test-support"))
		.map((file) => join(folder, file))
		.filter((file) => MODELS.test(readFileSync(join(packages, file), "utf8")));

it("models are made in one place, of what routing has decided", () => {
	expect(list("service/src").sort()).toEqual([
		"service/src/models/built-in-task.ts",
		"service/src/models/create-model.ts",
	]);
	expect(list("cli/src")).toEqual(["cli/src/folder/folder-ports.ts"]);
	for (const name of ["runtime", "local", "engine", "client"]) expect(list(`${name}/src`)).toEqual([]);
});
