import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

// The part of zod that is used goes into the build: loading all of zod takes five times as long as all else together.
const withZod = { noExternal: ["zod"] };

export default defineConfig([
	{ ...isomorphicBuild(["index", "errors", "sse", "internal", "internal/sha-256"]), ...withZod },
	// Apart, so that what only these need of zod is in no chunk that the index loads.
	{
		...isomorphicBuild(["zod", "agent-json-schema"]),
		...withZod,
		async onSuccess() {
			// In a string, since the file is there only after the build.
			const built = new URL("dist/agent-json-schema.js", `file://${process.cwd()}/`).href;
			const { createAgentJsonSchema } = (await import(built)) as typeof import("./src/agent-json-schema");
			await writeFile("dist/agent.schema.json", `${JSON.stringify(createAgentJsonSchema(), null, 2)}\n`);
		},
	},
]);
