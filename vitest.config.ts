import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { bundledService } from "./scripts/bundle-service.mjs";
import { LongestFirst } from "./scripts/longest-first.mjs";

const packages = fileURLToPath(new URL("./packages/", import.meta.url));

/** Sibling packages are tested from their sources, so that no test runs on a stale build. */
const sources = [
	{ find: /^create-stemma$/, replacement: `${packages}create-stemma/src/index.ts` },
	{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/src/index.ts` },
	{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
];

/** Tests of what was built take it as users do. */
const builds = [
	{ find: /^create-stemma$/, replacement: `${packages}create-stemma/dist/index.js` },
	// Bundled into others, and never built by itself.
	{ find: /^@stemma\/(documents|protocol|runs|telemetry)$/, replacement: `${packages}$1/src/index.ts` },
	{ find: /^@stemma\/(documents|simulators)\/(.+)$/, replacement: `${packages}$1/src/$2.ts` },
	{ find: /^@stemma\/([^/]+)$/, replacement: `${packages}$1/dist/index.js` },
	{ find: /^@stemma\/([^/]+)\/(.+)$/, replacement: `${packages}$1/dist/$2.js` },
];

/** Node loads what was built, as it does for users: no test file has it transformed and compiled once more. */
const server = { deps: { external: [/\/node_modules\//, /\/packages\/[^/]+\/dist\//] } };

/** Most tests wait for something most of the time. */
const maxWorkers = 2 * availableParallelism();

/** Of things that happen soon, on a machine that may be busy: what hangs ends, and what is slow passes. */
const patience = {
	expect: { poll: { timeout: 30_000 } },
	testTimeout: 300_000,
	hookTimeout: 300_000,
};

/** A fresh process for each of hundreds of files would take longer than the tests. */
const shared = {
	pool: "threads",
	isolate: false,
	setupFiles: "./scripts/seed-properties.mjs",
	...patience,
} as const;

/** Starts a Postgres server, where the machine has one. */
const POSTGRES_SETUP = "./packages/service/src/store/postgres/test-support/global-setup.ts";

/** On sources, and heavy: in `npm run test:all` alone. */
const slow = ["packages/*/src/**/*.slow.test.{ts,tsx}", "tools/hostile-server/*.test.ts"];

/** On what was built: other platforms, the official parts of protocols, pages in Chromium, a fresh clone, kills, whole walks, heavy loads: in `npm run test:all` alone. */
const full = [
	// Two patterns: `**` within braces would not match files in `src` itself.
	"packages/*/src/**/*.full.test.ts",
	"tools/*/*.full.test.ts",
	...[
		"consumer-types",
		"fresh-clone",
		"front-ends",
		"interop",
		"platforms",
		"react-chat",
		"react-native",
		"web-app",
	].map((folder) => `tools/${folder}/*.build.test.ts`),
];

export default defineConfig({
	test: {
		maxWorkers,
		sequence: { sequencer: LongestFirst },
		projects: [
			{
				resolve: { alias: sources },
				test: {
					name: "unit",
					// It imports its schema in a way that bundlers alone have.
					server: { deps: { inline: ["@actions/workflow-parser"] } },
					include: ["packages/*/src/**/*.test.{ts,tsx}", "tools/*/*.test.ts"],
					exclude: ["**/*.{build,full,postgres,route,slow}.test.ts", ...slow],
					...shared,
				},
			},
			{
				// The service as a whole, by its routes, on sources that were bundled a moment ago.
				resolve: { alias: [{ find: /^@stemma\/service$/, replacement: bundledService }, ...sources] },
				test: {
					name: "routes",
					include: ["packages/service/src/**/*.route.test.ts"],
					globalSetup: ["./scripts/bundle-service.mjs"],
					...shared,
				},
			},
			{
				// On a Postgres server that is started for them; skipped where there is none.
				resolve: { alias: sources },
				test: {
					name: "postgres",
					include: ["packages/service/src/**/*.postgres.test.ts"],
					globalSetup: [POSTGRES_SETUP],
					...shared,
				},
			},
			{
				// The routes once more, with the service on Postgres.
				resolve: { alias: [{ find: /^@stemma\/service$/, replacement: bundledService }, ...sources] },
				test: {
					name: "routes-postgres",
					include: ["packages/service/src/**/*.route.test.ts"],
					globalSetup: ["./scripts/bundle-service.mjs", POSTGRES_SETUP],
					...shared,
				},
			},
			{
				// And once more on two instances, which get the requests in turn.
				resolve: { alias: [{ find: /^@stemma\/service$/, replacement: bundledService }, ...sources] },
				test: {
					name: "routes-instances",
					include: ["packages/service/src/**/*.route.test.ts"],
					globalSetup: ["./scripts/bundle-service.mjs", POSTGRES_SETUP],
					env: { STEMMA_TEST_INSTANCES: "2" },
					...shared,
				},
			},
			{
				resolve: { alias: sources },
				test: { name: "slow", include: slow, ...shared },
			},
			{
				// On what was built: packed packages, processes.
				resolve: { alias: builds },
				test: {
					name: "build",
					include: ["packages/*/src/**/*.build.test.ts", "tools/*/*.build.test.ts"],
					exclude: full,
					server,
					...patience,
				},
			},
			{
				resolve: { alias: builds },
				test: { name: "full", include: full, server, ...patience },
			},
		],
	},
});
