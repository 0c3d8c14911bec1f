import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { isomorphicBuild } from "../../tsup.base";

export default defineConfig({
	...isomorphicBuild(["index", "errors", "sse", "zod", "internal"]),
	async onSuccess() {
		// In a string, since the file is there only after the build.
		const built = new URL("dist/internal.js", `file://${process.cwd()}/`).href;
		const { createAgentJsonSchema } = (await import(built)) as typeof import("./src/internal");
		await writeFile("dist/agent.schema.json", `${JSON.stringify(createAgentJsonSchema(), null, 2)}\n`);
	},
});
