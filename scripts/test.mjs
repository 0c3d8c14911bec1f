// `npm test`: all tests but those of other platforms, of the official parts of protocols, of pages in Chromium, and heavy ones.
// `npm run test:all` (`--all`): everything. Runs in the order in which it fails soonest; the last line counts what passed, failed
// and was skipped.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { findPostgres, hasPgvector } from "./find-postgres.mjs";
import { ensureToolInstalled } from "./install.mjs";
import { compilerFolder, runSteps, typeSteps } from "./steps.mjs";
import { runSuite } from "./suite.mjs";
import { publishedPackages } from "./workspace.mjs";

const isAll = process.argv.includes("--all");
const args = process.argv.slice(2).filter((arg) => arg !== "--all");
if (args.length > 0) {
	console.error(`npm test takes no arguments, such as ${args.join(" ")}. One file: npx vitest run <file>`);
	process.exit(1);
}

const counts = { passed: 0, failed: 0, skipped: 0 };

function count(steps, failed) {
	counts.failed += failed.length;
	counts.passed += steps.length - failed.length;
}

async function check(steps) {
	count(steps, await runSteps(steps));
}

const flaky = [];

/** One step a suite; its tests are counted one by one. */
async function test(name, args, untilQuiet) {
	const suite = await runSuite({ name, args, folder: temporary, untilQuiet });
	counts.passed += suite.passed;
	counts.failed += suite.failed;
	counts.skipped += suite.skipped.length;
	flaky.push(...suite.flaky);
	for (const test of suite.skipped) console.log(`skipped: ${test}`);
}

const chromium = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium";
if (!existsSync(chromium))
	console.log(
		`There is no Chromium at ${chromium}, so its tests are skipped. Install it, or set CHROMIUM_PATH.`,
	);

const proxies = {
	nginx: process.env.NGINX_PATH ?? "/usr/sbin/nginx",
	HAProxy: process.env.HAPROXY_PATH ?? "/usr/sbin/haproxy",
};
for (const [name, path] of Object.entries(proxies))
	if (!existsSync(path))
		console.log(
			`There is no ${name} at ${path}, so its tests are skipped. Install it, or set ${name.toUpperCase()}_PATH.`,
		);

const postgres = findPostgres();
if (postgres === undefined)
	console.log(
		"There is no Postgres from version 15, so its tests are skipped. Install postgresql, or set POSTGRES_BIN.",
	);
const testsRoutesOnPostgres = isAll && postgres !== undefined && hasPgvector(postgres);
if (isAll && postgres !== undefined && !testsRoutesOnPostgres)
	console.log("Postgres has no pgvector, so its tests with vectors and the routes on Postgres are skipped.");

/** Routes whose state instances share most; `vitest run --project routes-instances` runs all, in three times the time. */
const areasOfInstances = [
	"workspaces",
	"routes/agents",
	"routes/auth",
	"routes/people",
	"routes/threads",
	"routes/workspace",
].map((area) => `packages/service/src/${area}`);

const toolsOfAll = [
	["tools/platforms", "Other platforms than Node 24"],
	["tools/react-native", "React Native"],
	["tools/bundlers", "Bundlers, frameworks and Jest"],
	["tools/consumer-types", "Older versions of TypeScript"],
	["tools/registry", "A registry of npm packages"],
	["tools/interop", "The official parts of MCP and A2A"],
	["tools/front-ends", "The official clients of the AI SDK, AG-UI, OpenAI and Anthropic"],
	["tools/places", "PDFium"],
	["tools/ocr", "Tesseract"],
	["tools/docs-site", "The generator of the docs site"],
];
const temporary = mkdtempSync(join(tmpdir(), "stemma-test-"));
// Tests start hundreds of processes of the same programs.
process.env.NODE_COMPILE_CACHE ??= join(temporary, "compiled");
if (isAll) process.env.STEMMA_TESTS = "all";

const ensureOrSkip = (folder, what) =>
	ensureToolInstalled(folder).catch(({ message }) =>
		console.log(`${what} cannot be installed, so the tests with it are skipped. ${message}`),
	);

const projects = (...names) => names.flatMap((name) => ["--project", name]);

try {
	const others = [
		...(isAll ? toolsOfAll : []).map(([folder, what]) => ensureOrSkip(folder, what)),
		ensureBuilt("everything"),
		check([
			{ name: "format and lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."] },
		]),
		ensureToolInstalled(compilerFolder).then(() => check(typeSteps)),
	];
	const results = await Promise.allSettled([
		...others,
		// Many of them wait, and leave time for what computes.
		test("tests on sources", projects("unit", "routes", "postgres", ...(isAll ? ["slow"] : [])), () =>
			Promise.allSettled(others),
		),
	]);
	for (const { reason } of results) if (reason !== undefined) throw reason;
	const packages = check(
		publishedPackages.map((name) => ({
			name: `package ${name}`,
			command: ["pnpm", "run", "--silent", "lint:package"],
			cwd: `packages/${name}`,
		})),
	);
	if (testsRoutesOnPostgres) {
		await test("routes on Postgres", projects("routes-postgres"), () => packages);
		await test(
			"routes on two instances",
			[...projects("routes-instances"), ...areasOfInstances],
			() => packages,
		);
	}
	await test("tests of what was built", projects("build", ...(isAll ? ["full"] : [])), () => packages);
	await packages;
} catch (error) {
	console.error(error.message);
	counts.failed += 1;
} finally {
	rmSync(temporary, { recursive: true, force: true });
}

if (flaky.length > 0)
	console.log(
		`Passed only when they ran a second time, and are to be mended:\n${flaky.map((test) => `  ${test}`).join("\n")}`,
	);
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
