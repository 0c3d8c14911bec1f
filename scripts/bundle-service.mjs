// Bundles the service from the sources of all packages, threads included, in about half a second: route tests run on it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./workspace.mjs";

const service = join(root, "packages/service");

/** Where the service's own dependencies are found. */
export const bundledService = join(service, "node_modules/.stemma/index.js");

const THREADS = {
	"database-thread": "src/store/worker-threads/database-thread.ts",
	"document-process": "src/knowledge/ingest/reading/document-process.ts",
	"built-in-thread": "src/models/built-in-thread.ts",
	"words-thread": "src/store/postgres/knowledge/word-index/words-thread.ts",
	"schema-check-thread": "src/schema-check/schema-check-thread.ts",
};

const siblings = {
	name: "sources of siblings",
	setup: ({ onResolve }) =>
		onResolve({ filter: /^@stemma\// }, ({ path }) => {
			const [, name, ...entry] = path.split("/");
			return { path: join(root, "packages", name, "src", `${entry.join("/") || "index"}.ts`) };
		}),
};

/** Called by Vitest before the first route test. */
export async function setup() {
	const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(service, "package.json"), "utf8"));
	const external = Object.keys({ ...dependencies, ...peerDependencies }).filter(
		(name) => !name.startsWith("@stemma/"),
	);
	await build({
		absWorkingDir: service,
		entryPoints: { index: "src/index.ts", ...THREADS },
		outdir: "node_modules/.stemma",
		bundle: true,
		splitting: true,
		format: "esm",
		platform: "node",
		target: "node22",
		external,
		plugins: [siblings],
		logLevel: "warning",
	});
}
