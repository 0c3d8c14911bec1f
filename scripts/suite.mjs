// Runs the tests of some of Vitest's projects and counts them one by one. Files in which something failed run a second time.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runSteps } from "./steps.mjs";

/**
 * Counts of a suite: `passed`, `failed`, and the names of tests that were `skipped`. Files with a failure run once more, one after
 * another, when `untilQuiet` has resolved, and what they say then counts; tests that pass only then are named in `flaky`.
 */
export async function runSuite({ name, args, folder, untilQuiet }) {
	const first = await runVitest(name, args, folder);
	const broken = first.files.filter(({ status }) => status === "failed").map((file) => file.name);
	if (broken.length === 0) return { ...count(first.files, first.isOk), flaky: [] };
	await untilQuiet();
	const second = await runVitest(`${name}, once more`, [...args, "--no-file-parallelism", ...broken], folder);
	const files = [...first.files.filter((file) => !broken.includes(file.name)), ...second.files];
	const passed = new Set(namesOf(second.files, ["passed"]));
	const flaky = namesOf(first.files, ["failed"]).filter((test) => passed.has(test));
	return { ...count(files, second.isOk), flaky };
}

/** Without files it could not report at all. */
async function runVitest(name, args, folder) {
	const report = join(folder, `${name.replaceAll(/\W/g, "-")}.json`);
	const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
	const failed = await runSteps([{ name, command: ["vitest", "run", ...args, ...reporters] }]);
	const files = existsSync(report) ? JSON.parse(readFileSync(report, "utf8")).testResults : [];
	return { isOk: failed.length === 0, files };
}

/** A run that failed with no failed test, as by an error that nobody caught, counts as one failure. */
function count(files, isOk) {
	const failed = namesOf(files, ["failed"]).length;
	return {
		passed: namesOf(files, ["passed"]).length,
		failed: failed === 0 && !isOk ? 1 : failed,
		skipped: namesOf(files, ["skipped", "pending"]),
	};
}

const namesOf = (files, statuses) =>
	files.flatMap(({ name, assertionResults }) =>
		assertionResults
			.filter(({ status }) => statuses.includes(status))
			.map(({ fullName }) => `${name} > ${fullName}`),
	);
