import { formatBytes } from "@stemma/core/internal";
import type { CheckedFile, DataFolderProblem, DataFolderReport } from "@stemma/service";
import { createProgressBar } from "../terminal/progress-bar";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import { formatJson } from "../terminal/text/format-json";
import { formatTable } from "../terminal/text/table";

/** Options of `stemma doctor`. */
export interface DoctorCommandOptions {
	readonly data?: string;
	readonly config?: string;
	readonly quick: boolean;
	readonly json: boolean;
}

/** Checks a data folder and changes nothing. Returns the exit code: 1 where there are errors. */
export async function doctor(
	terminal: Terminal,
	{ data, config, quick, json }: DoctorCommandOptions,
): Promise<number> {
	const { readConfiguration, checkDataFolder } = await import("@stemma/service");
	const options = data === undefined ? [] : [{ source: "--data", path: ["data"], value: data }];
	const configuration = await readConfiguration({ file: config, options });
	const bar = createProgressBar(terminal, "checking");
	try {
		const report = await checkDataFolder(configuration, { isQuick: quick, onProgress: bar.update });
		bar.clear();
		terminal.stdout.write(json ? `${toJson(report)}\n` : formatReport(terminal, report));
		return report.problems.some(({ severity }) => severity === "error") ? 1 : 0;
	} finally {
		bar.clear();
	}
}

function formatReport(
	terminal: Terminal,
	{ folder, isServed, freeBytes, files, problems }: DataFolderReport,
): string {
	const use = isServed ? "a service runs on it" : "no service runs on it";
	const rows = [["FILE", "WORKSPACE", "SIZE", "STATE"], ...files.map(toCells)];
	const errors = problems.filter(({ severity }) => severity === "error").length;
	const found =
		problems.length === 0
			? "No problems.\n"
			: `${count(errors, "error")}, ${count(problems.length - errors, "warning")}.\n`;
	return [
		`${sanitizeLine(folder)}: ${use}, ${formatBytes(freeBytes)} left on its disk.\n`,
		formatTable(rows),
		...problems.map((problem) => formatProblem(terminal, problem)),
		found,
	].join("");
}

const toCells = ({ file, name = "", bytes, isSound }: CheckedFile): string[] => [
	file,
	sanitizeLine(name),
	formatBytes(bytes),
	isSound ? "sound" : "NOT USABLE",
];

function formatProblem({ stdout }: Terminal, { severity, code, message, hint }: DataFolderProblem): string {
	const label = style(stdout, severity === "error" ? ["red", "bold"] : "yellow", `${severity}:`);
	return `${label} ${sanitizeLine(message)} (${code})\n  ${sanitizeLine(hint)}\n`;
}

const toJson = ({ folder, isServed, freeBytes, files, problems }: DataFolderReport): string =>
	formatJson({
		folder,
		is_served: isServed,
		free_bytes: freeBytes,
		files: files.map(({ file, workspaceId = null, name = null, bytes, isSound }) => ({
			...{ file, workspace_id: workspaceId, name, bytes },
			is_sound: isSound,
		})),
		problems: problems.map(({ severity, code, file = null, workspaceId = null, message, hint }) => ({
			...{ severity, code, file },
			workspace_id: workspaceId,
			...{ message, hint },
		})),
	});
