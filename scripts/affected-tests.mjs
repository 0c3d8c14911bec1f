// Finds the test files of `npm run check` whose result can differ from the last time they passed: they, or what they import or
// name as `new URL("./file", import.meta.url)`, changed since. Tests that read other files of the repository are always among them.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative, sep } from "node:path";
import { fingerprint, listFiles, packages, readStamp, root, writeStamp } from "./workspace.mjs";

const STAMP = "passed-tests.json";
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g;
const READS_REPOSITORY = /\bimport\.meta\.(?:url|dirname|filename|glob)\b|\bprocess\.cwd\(/;
/** `new URL("./file", import.meta.url)`; of a template, what stands before its first expression. */
const NAMED = /\bnew URL\(\s*(?:"([^"]*)"|`([^`$]*)(?:\$\{[^`]*)?`),\s*import\.meta\.url,?\s*\)/g;
const IS_CODE = /\.[cm]?[jt]sx?$/;
const IS_TEST_CODE = /\.test\.tsx?$|\/test-support\/|^tools\/|^packages\/simulators\//;

/** Everything that all tests depend on. */
const SHARED = [
	"pnpm-lock.yaml",
	"vitest.config.ts",
	"tsconfig.base.json",
	"scripts/affected-tests.mjs",
	"scripts/bundle-service.mjs",
];

/** Threads of the service, which are started by their addresses, not imported. */
const THREADS = listFiles("packages/service/src").filter((file) => file.endsWith("-thread.ts"));

/** @returns files to run, how many there are in all, and what to call with Vitest's report. */
export function findAffectedTests() {
	const passed = readPassed();
	const shared = fingerprint(SHARED, process.version, process.platform);
	const readSource = createSourceReader();
	const fingerprints = new Map(
		listQuickTests().map((file) => [file, fingerprintTest(file, shared, readSource)]),
	);
	return {
		total: fingerprints.size,
		files: [...fingerprints]
			.filter(([file, value]) => value === undefined || passed[file] !== value)
			.map(([file]) => file),
		/** Remembers what passed and forgets what failed. */
		record({ testResults }) {
			for (const { name, status } of testResults) {
				const file = relative(root, name).split(sep).join("/");
				passed[file] = status === "passed" ? fingerprints.get(file) : undefined;
			}
			writeStamp(STAMP, JSON.stringify(passed));
		},
	};
}

/** Those of the projects `unit` and `routes`. */
export function listQuickTests() {
	const sources = packages.map((name) => `packages/${name}/src`).flatMap(listFiles);
	const tools = readdirSync(join(root, "tools")).flatMap((name) =>
		readdirSync(join(root, "tools", name)).map((file) => `tools/${name}/${file}`),
	);
	return [...sources, ...tools].filter(
		(file) =>
			/\.test\.tsx?$/.test(file) &&
			!/\.(?:build|full|postgres|slow)\.test\./.test(file) &&
			!file.startsWith("tools/hostile-server/"),
	);
}

function readPassed() {
	try {
		return JSON.parse(readStamp(STAMP));
	} catch {
		return {};
	}
}

/** Undefined for a test that reads files of the repository, which it does not import. */
function fingerprintTest(file, shared, readSource) {
	const files = new Set([file]);
	// A set grows while it is walked.
	for (const path of files) {
		const { imports, readsRepository } = readSource(path);
		if (readsRepository) return undefined;
		for (const imported of imports) files.add(imported);
	}
	const hash = createHash("sha256").update(shared);
	for (const path of [...files].sort()) hash.update(`${path}\n${readSource(path).hash}\n`);
	return hash.digest("hex");
}

function createSourceReader() {
	const known = new Map();
	return (path) => {
		if (!known.has(path)) known.set(path, readSource(path));
		return known.get(path);
	};
}

function readSource(path) {
	const text = readFileSync(join(root, path), "utf8");
	const hash = createHash("sha256").update(text).digest("hex");
	if (!IS_CODE.test(path)) return { hash, readsRepository: false, imports: [] };
	const imports = [...text.matchAll(IMPORT)].map(([, specifier]) => resolveImport(path, specifier));
	const named = IS_TEST_CODE.test(path) ? listNamedFiles(path, text) : [];
	return {
		hash,
		readsRepository: named === undefined,
		imports: imports
			.filter((file) => file !== undefined)
			.concat(imports.includes("packages/service/src/index.ts") ? THREADS : [], named ?? []),
	};
}

/** Files that a test names, and those of folders; undefined where it may read others. */
function listNamedFiles(path, text) {
	const files = [...text.matchAll(NAMED)].map(([, literal, prefix]) =>
		listFilesAt(toPath(path, literal ?? prefix.replace(/[^/]*$/, ""))),
	);
	return READS_REPOSITORY.test(text.replaceAll(NAMED, "")) || files.includes(undefined)
		? undefined
		: files.flat();
}

/** The file, or those of a folder within a package; undefined for more than that, or nothing. */
function listFilesAt(path) {
	const status = statSync(join(root, path), { throwIfNoEntry: false });
	if (status?.isFile()) return [path];
	if (!status?.isDirectory() || !/^packages\/[^/]+\/./.test(path)) return undefined;
	return listFiles(path.replace(/\/$/, ""));
}

/** The file of this repository; undefined for a dependency, which the lockfile covers. */
function resolveImport(from, specifier) {
	const base = specifier.startsWith(".") ? toPath(from, specifier) : toEntry(specifier);
	return base === undefined
		? undefined
		: ["", ".ts", ".tsx", "/index.ts"]
				.map((end) => base + end)
				.find((file) => /\.\w+$/.test(file) && existsSync(join(root, file)));
}

const toPath = (from, specifier) =>
	normalize(join(dirname(from), specifier))
		.split(sep)
		.join("/");

function toEntry(specifier) {
	const [, name, entry = "index"] = /^@stemma\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
	return name === undefined ? undefined : `packages/${name}/src/${entry}`;
}
