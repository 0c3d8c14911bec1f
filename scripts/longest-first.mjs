// The order in which Vitest starts test files of a project: those that are known to take long, then as Vitest would, which
// knows how long the files took here before. What takes long and starts last leaves processors idle.
import { BaseSequencer } from "vitest/node";

/** Files that take 20 s and more on two cores, the longest first. */
const LONG = [
	"tools/examples/readmes.full.test.ts",
	"tools/hostile-tenants/hostile-tenants.full.test.ts",
	"tools/fresh-clone/start.build.test.ts",
	"tools/durability/background.full.test.ts",
	"tools/durability/backup.full.test.ts",
	"tools/end-to-end/payers.build.test.ts",
	"tools/proxies/stopped-service.full.test.ts",
	"tools/durability/kill.full.test.ts",
	"tools/consumer-types/consumer-types.build.test.ts",
	"tools/registry/installs.full.test.ts",
	"tools/bundlers/frameworks.full.test.ts",
	"tools/proxies/several-instances.full.test.ts",
	"tools/platforms/node.build.test.ts",
	"tools/durability/settings.full.test.ts",
	"tools/docs-site/docs-site.full.test.ts",
	"packages/cli/src/workspaces-commands.full.test.ts",
	"tools/durability/thread-kills.full.test.ts",
	"tools/upgrade/data-folders.full.test.ts",
	"tools/durability/instances.full.test.ts",
	"tools/hostile-tenants/hostile-caller.full.test.ts",
	"tools/durability/suspended-instance.full.test.ts",
	"packages/service/src/bad-input.build.test.ts",
	"tools/web-app/web-app.build.test.ts",
	"tools/durability/runtime-kills.full.test.ts",
	"packages/service/src/knowledge/mutated-documents.full.test.ts",
	"tools/interop/mcp-command.build.test.ts",
	"packages/service/src/upload-memory.full.test.ts",
	"packages/cli/src/settings-commands.full.test.ts",
	"packages/cli/src/service-commands.full.test.ts",
	"tools/durability/clock.full.test.ts",
	"tools/react-native/react-native.build.test.ts",
	"packages/service/src/schema-check/hostile-schemas.full.test.ts",
	"tools/web-app/sign-in.build.test.ts",
	"tools/platforms/runtime-telemetry.build.test.ts",
	"packages/cli/src/knowledge-commands.full.test.ts",
	"tools/interop/mcp-conformance.build.test.ts",
	"tools/front-ends/assistant-ui.build.test.ts",
	"tools/web-app/agents-page.build.test.ts",
	"tools/bundlers/pages.full.test.ts",
	"tools/end-to-end/failures.full.test.ts",
	"tools/packed/project.full.test.ts",
	"packages/service/src/retrieval-faults.full.test.ts",
	"packages/cli/src/reindex-command.full.test.ts",
	"tools/web-app/knowledge-pages.build.test.ts",
	"packages/service/src/encryption/rotate-keys.full.test.ts",
	"packages/dbos/src/durable-agent.slow.test.ts",
	"packages/service/src/backup/backup.postgres.test.ts",
	"packages/service/src/store/postgres/knowledge/search/word-search.postgres.test.ts",
	"packages/client/src/streams/run-stream.test.ts",
	"packages/runtime/src/agents/live-catalog.test.ts",
	"packages/service/src/store/postgres/run-repositories.postgres.test.ts",
	"tools/guards/coined-names.test.ts",
	"tools/hostile-server/a2a-agents.test.ts",
	"tools/hostile-server/mcp-servers.test.ts",
];

const placeOf = ({ moduleId }) => {
	const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
	return place === -1 ? LONG.length : place;
};

export class LongestFirst extends BaseSequencer {
	async sort(files) {
		const byProject = Map.groupBy(await super.sort(files), ({ project }) =>
			// Others have a process each, in any order.
			project.config.isolate ? "" : project.name,
		);
		return [...byProject.values()].flatMap((group) =>
			group.sort((one, other) => placeOf(one) - placeOf(other)),
		);
	}
}
