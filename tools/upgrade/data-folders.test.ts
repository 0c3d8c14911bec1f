import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { deploymentMigrations, workspaceMigrations } from "./parts";

it("has a recording of the version of today, so that the next one opens it", () => {
	const name = `${workspaceMigrations.length}-${deploymentMigrations.length}.json.gz`;
	const recording = new URL(`data-folders/${name}`, import.meta.url);
	expect({ name, isRecorded: existsSync(recording) }, "record it: see tools/upgrade/README.md").toEqual({
		name,
		isRecorded: true,
	});
});
