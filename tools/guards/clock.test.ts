import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const packages = fileURLToPath(new URL("../../packages/", import.meta.url));

/** Files that may read the time of day, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
	"service/src/storage/sweep-storage.ts":
		"deletes nothing for its age that the machine's clock does not call old, too",
	"service/src/models/ambient-aws/": "compares with the times of another machine",
	"service/src/workspaces/restore-clock.ts": "compares the time of day with the last stored time",
	"runtime/src/agents/live-catalog.ts": "measures a slice of work",
	"runtime/src/folder/watch-source.ts": "measures a poll",
};

const WHAT_TO_DO =
	"use `clock.now()` of @stemma/core/internal, which never goes back; else name the file in tools/guards/clock.test.ts, with the reason";

/** Comments say what `Date.now` is not for. */
const readsTimeOfDay = (code: string): boolean =>
	/\bDate\.now\b|\bnew Date\(\)/.test(code.replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, ""));

it.each(["service", "runtime", "local", "engine", "a2a-server"])("the time of %s never goes back", (name) => {
	const files = readdirSync(`${packages}${name}/src`, { recursive: true, encoding: "utf8" })
		.map((path) => `${name}/src/${path.replaceAll("\\", "/")}`)
		.filter((path) => path.endsWith(".ts") && !/\.test\.ts$|test-support\//.test(path))
		.filter((path) => !Object.keys(EXCEPTIONS).some((exception) => path.startsWith(exception)));
	const found = files.filter((path) => readsTimeOfDay(readFileSync(`${packages}${path}`, "utf8")));
	expect(found.map((path) => `${path}: ${WHAT_TO_DO}`)).toEqual([]);
});
