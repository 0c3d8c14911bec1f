// The order in which Vitest starts test files of a project: those that are known to take long, then as Vitest would, which
// knows how long the files took here before. What takes long and starts last leaves processors idle.
import { BaseSequencer } from "vitest/node";

/** Files that take 20 s and more on two cores, the longest first. */
const LONG = [
	"packages/dbos/src/kills.full.test.ts",
	"tools/durability/suspended-instance.full.test.ts",
	"packages/cli/src/knowledge-commands.full.test.ts",
	"packages/cli/src/service-commands.full.test.ts",
	"tools/end-to-end/canary.full.test.ts",
	"packages/cli/src/settings-commands.full.test.ts",
	"packages/dbos/src/durable-agent.slow.test.ts",
	"tools/docs-site/docs-site.full.test.ts",
	"packages/service/src/routes/models/error-responses.full.test.ts",
	"packages/cli/src/workspaces-commands.full.test.ts",
	"tools/examples/readmes.full.test.ts",
	"tools/packed/project.full.test.ts",
	"tools/registry/installs.full.test.ts",
	"tools/bundlers/frameworks.full.test.ts",
	"packages/service/src/bad-input.build.test.ts",
	"packages/cli/src/command-line.build.test.ts",
	"tools/end-to-end/payers.build.test.ts",
	"tools/durability/instances.full.test.ts",
	"tools/durability/runtime-kills.full.test.ts",
	"packages/service/src/knowledge/ingest/reading/document-reader.build.test.ts",
	"packages/service/src/knowledge/mutated-documents.full.test.ts",
	"tools/durability/kill.full.test.ts",
	"packages/react/src/use-run.test.ts",
];

const placeOf = ({ moduleId }) => {
	const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
	return place === -1 ? LONG.length : place;
};

export class LongestFirst extends BaseSequencer {
	async sort(files) {
		const byProject = Map.groupBy(await super.sort(files), ({ project }) => project.name);
		return [...byProject.values()].flatMap((group) =>
			group.sort((one, other) => placeOf(one) - placeOf(other)),
		);
	}
}
