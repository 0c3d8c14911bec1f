import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("./packages/", import.meta.url));

/** Sibling packages are tested from their sources, so that no test runs on a stale build. */
const sources = [
	{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/src/index.ts` },
	{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
];

/** Tests of what was built take it as users do. */
const builds = [
	// Bundled into others, and never built by itself.
	{ find: /^@stemma\/(documents|protocol|runs|telemetry)$/, replacement: `${packages}$1/src/index.ts` },
	{ find: /^@stemma\/(documents|simulators)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
	{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/dist/index.js` },
	{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/dist/$2.js` },
];

/** Most tests wait for something most of the time. */
const maxWorkers = 2 * availableParallelism();

/** Of things that happen soon, on a machine that may be busy: what hangs ends, and what is slow passes. */
const patience = {
	expect: { poll: { timeout: 10_000 } },
	testTimeout: 120_000,
	hookTimeout: 120_000,
};

export default defineConfig({
	test: {
		maxWorkers,
		projects: [
			{
				resolve: { alias: sources },
				test: {
					name: "unit",
					include: ["packages/*/src/**/*.test.{ts,tsx}", "tools/*/*.test.ts"],
					exclude: ["**/*.build.test.ts"],
					// A fresh process for each of a hundred files would take longer than the tests.
					pool: "threads",
					isolate: false,
					...patience,
				},
			},
			{
				// On what was built: packed packages, processes, platforms.
				resolve: { alias: builds },
				test: {
					name: "build",
					include: ["packages/*/src/**/*.build.test.ts", "tools/*/*.build.test.ts"],
					...patience,
				},
			},
		],
	},
});
