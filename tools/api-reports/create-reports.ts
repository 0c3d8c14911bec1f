import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
	CompilerState,
	Extractor,
	ExtractorConfig,
	ExtractorLogLevel,
	type ExtractorMessage,
	ExtractorMessageCategory,
	type IConfigFile,
} from "@microsoft/api-extractor";
import { root } from "../sources/list-files.ts";
import type { PackageEntry } from "./list-entries.ts";

/** Report of an entry: its declarations without their texts. */
export interface ApiReport {
	readonly entry: PackageEntry;
	readonly text: string;
}

/**
 * Creates the reports of built packages; one compiler reads all of them.
 *
 * @param folder - a temporary folder.
 * @throws where a declaration has an error.
 */
export function createReports(entries: readonly PackageEntry[], folder: string): readonly ApiReport[] {
	const files = entries.map(({ types }) => types);
	const configs = entries.map((entry, index) => ({
		entry,
		config: toConfig(entry, join(folder, String(index)), files),
	}));
	const [first] = configs;
	if (first === undefined) return [];
	const compilerState = CompilerState.create(first.config, { additionalEntryPoints: files });
	return configs.map(({ entry, config }) => {
		mkdirSync(config.reportFolder, { recursive: true });
		const problems: string[] = [];
		Extractor.invoke(config, {
			compilerState,
			localBuild: true,
			messageCallback(message) {
				message.handled = true;
				if (isProblem(message)) problems.push(message.formatMessageWithLocation(root));
			},
		});
		if (problems.length > 0) throw new Error(problems.join("\n"));
		const text = readFileSync(join(config.reportFolder, REPORT), "utf8");
		return { entry, text: markInternal(entry, text.replaceAll(UNDOCUMENTED, "")) };
	});
}

/** Notes on what has no docstring, which the report has even where messages about docstrings are off. */
const UNDOCUMENTED = /^ *\/\/ \(undocumented\)\n| \(undocumented\)/gm;

/** Says of an internal entry whom it is for, below the title. */
const markInternal = ({ isInternal }: PackageEntry, text: string): string =>
	isInternal ? text.replace("\n\n", `\n\n${INTERNAL}\n\n`) : text;

const INTERNAL =
	"> Internal: for sibling packages of the same version, outside of semantic versioning. Other programs must not import it.";

const REPORT = "report.api.md";

/** Checks for a message that is not about the report being new. */
const isProblem = ({ category, logLevel }: ExtractorMessage): boolean =>
	category !== ExtractorMessageCategory.Console &&
	(logLevel === ExtractorLogLevel.Error || logLevel === ExtractorLogLevel.Warning);

/** Messages about docstrings: they are checked elsewhere, and packages have no release tags. */
const MESSAGES: NonNullable<IConfigFile["messages"]> = {
	compilerMessageReporting: { default: { logLevel: ExtractorLogLevel.Error } },
	extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
	tsdocMessageReporting: { default: { logLevel: ExtractorLogLevel.None } },
};

const toConfig = (
	{ folder: projectFolder, types }: PackageEntry,
	reportFolder: string,
	files: readonly string[],
): ExtractorConfig =>
	ExtractorConfig.prepare({
		configObject: {
			projectFolder,
			mainEntryPointFilePath: types,
			compiler: { overrideTsconfig: { compilerOptions: COMPILER_OPTIONS, files } },
			apiReport: {
				...{
					enabled: true,
					reportFileName: REPORT,
					reportFolder,
					reportTempFolder: join(reportFolder, "new"),
				},
			},
			docModel: { enabled: false },
			dtsRollup: { enabled: false },
			tsdocMetadata: { enabled: false },
			newlineKind: "lf",
			messages: MESSAGES,
		},
		configObjectFullPath: undefined,
		packageJsonFullPath: join(projectFolder, "package.json"),
	});

const COMPILER_OPTIONS = {
	target: "es2022",
	lib: ["es2024", "dom", "dom.iterable"],
	module: "esnext",
	moduleResolution: "bundler",
	jsx: "react-jsx",
	strict: true,
	exactOptionalPropertyTypes: true,
	skipLibCheck: true,
	types: ["node"],
	typeRoots: [join(root, "node_modules/@types")],
};
