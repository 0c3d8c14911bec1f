// `npm test`: everything, in the order in which it fails soonest. The last line counts what passed, failed and was skipped.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureBuilt } from "./build.mjs";
import { ensureToolInstalled } from "./install.mjs";
import { runSteps } from "./steps.mjs";
import { builtPackages } from "./workspace.mjs";

const counts = { passed: 0, failed: 0, skipped: 0 };

function count(steps, failed) {
	counts.failed += failed.length;
	counts.passed += steps.length - failed.length;
}

async function check(steps) {
	count(steps, await runSteps(steps));
}

const reports = mkdtempSync(join(tmpdir(), "stemma-test-"));

/** One step a suite; its tests are counted one by one. */
async function test(name, args) {
	const report = join(reports, `${name.replaceAll(/\W/g, "-")}.json`);
	const command = [
		"vitest",
		"run",
		...args,
		"--reporter=default",
		"--reporter=json",
		`--outputFile.json=${report}`,
	];
	const failed = await runSteps([{ name, command }]);
	if (!existsSync(report)) {
		counts.failed += 1;
		return;
	}
	const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
		readFileSync(report, "utf8"),
	);
	counts.passed += numPassedTests;
	counts.skipped += numPendingTests;
	counts.failed += numFailedTests === 0 && failed.length > 0 ? 1 : numFailedTests;
	for (const { assertionResults } of testResults)
		for (const { status, fullName } of assertionResults)
			if (status === "skipped" || status === "pending") console.log(`skipped: ${fullName}`);
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

const ensureOrSkip = (folder, what) =>
	ensureToolInstalled(folder).catch(({ message }) =>
		console.log(`${what} cannot be installed, so the tests with it are skipped. ${message}`),
	);

try {
	await Promise.all([
		ensureOrSkip("tools/platforms", "Other platforms than Node 24"),
		ensureOrSkip("tools/react-native", "React Native"),
		ensureOrSkip("tools/interop", "The official parts of MCP and A2A"),
		ensureBuilt("everything"),
		check([
			{ name: "format and lint", command: ["biome", "ci", "--colors=off", "--error-on-warnings", "."] },
			{ name: "pages about the API", command: ["typedoc", "--emit", "none"] },
			{ name: "types", command: ["tsc", "-p", "tsconfig.json"] },
			{ name: "types of isomorphic packages", command: ["tsc", "-p", "tsconfig.isomorphic.json"] },
		]),
	]);
	await test("unit tests", ["--project", "unit"]);
	await test("tests of what was built", ["--project", "build"]);
	await check(
		builtPackages.map((name) => ({
			name: `package ${name}`,
			command: ["pnpm", "run", "--silent", "lint:package"],
			cwd: `packages/${name}`,
		})),
	);
} catch (error) {
	console.error(error.message);
	counts.failed += 1;
} finally {
	rmSync(reports, { recursive: true, force: true });
}

console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);
