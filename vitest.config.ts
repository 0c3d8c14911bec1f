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
	{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/dist/index.js` },
	{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/dist/$2.js` },
];

export default defineConfig({
	test: {
		projects: [
			{
				resolve: { alias: sources },
				test: {
					name: "unit",
					include: ["packages/*/src/**/*.test.ts", "tools/*/*.test.ts"],
					exclude: ["**/*.build.test.ts"],
				},
			},
			{
				// On what was built: packed packages, processes, platforms.
				resolve: { alias: builds },
				test: {
					name: "build",
					include: ["packages/*/src/**/*.build.test.ts", "tools/*/*.build.test.ts"],
					testTimeout: 120_000,
					hookTimeout: 120_000,
				},
			},
		],
	},
});
