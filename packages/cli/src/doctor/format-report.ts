import { formatBytes } from "@stemma/core/internal";
import type { CheckedFile, DataFolderReport, ReportedInstance } from "@stemma/service";
import { sanitizeLine, style, type Terminal } from "../terminal/terminal";
import { count } from "../terminal/text/count";
import { formatJson } from "../terminal/text/format-json";
import { formatTable } from "../terminal/text/table";
import type { MachineCheck, MachineProblem } from "./machine-check";

/** All that `stemma doctor` has found. */
export interface DoctorReport {
	readonly checks: readonly MachineCheck[];
	/** Left out where there is no data folder yet. */
	readonly folder?: DataFolderReport | undefined;
}

/** Lists the problems of machine and data folder: errors first. */
export function listProblems({ checks, folder }: DoctorReport): readonly MachineProblem[] {
	const problems = [...checks.flatMap(({ problem }) => problem ?? []), ...(folder?.problems ?? [])];
	const withSeverity = (one: MachineProblem["severity"]) =>
		problems.filter(({ severity }) => severity === one);
	return [...withSeverity("error"), ...withSeverity("warning")];
}

/** Report for a person: checks, files of the data folder, then each problem with what to do. */
export function formatReport(terminal: Pick<Terminal, "stdout">, report: DoctorReport): string {
	const problems = listProblems(report);
	const errors = problems.filter(({ severity }) => severity === "error").length;
	const found =
		problems.length === 0
			? "No problems.\n"
			: `${count(errors, "error")}, ${count(problems.length - errors, "warning")}.\n`;
	return [
		formatTable([["CHECK", "RESULT"], ...report.checks.map(({ name, result }) => [name, result])]),
		report.folder === undefined ? "" : `\n${formatFolder(report.folder)}`,
		...problems.map((problem) => formatProblem(terminal, problem)),
		found,
	].join("");
}

function formatFolder({ folder, isServed, instances, freeBytes, files }: DataFolderReport): string {
	const use = isServed ? "a service runs on it" : "no service runs on it";
	const title = `${sanitizeLine(folder)}: ${use}, ${formatBytes(freeBytes)} left on its disk.\n`;
	return instances === undefined
		? title + formatTable([["FILE", "WORKSPACE", "SIZE", "STATE"], ...files.map(toCells)])
		: title +
				formatTable([
					["INSTANCE", "HOST", "VERSION", "STARTED", "LAST SEEN"],
					...instances.map(toInstanceCells),
				]);
}

const toCells = ({ file, name = "", bytes, isSound }: CheckedFile): string[] => [
	file,
	sanitizeLine(name),
	formatBytes(bytes),
	isSound ? "sound" : "NOT USABLE",
];

const toInstanceCells = ({ id, host, version, startedAt, lastSeenAt }: ReportedInstance): string[] => [
	id,
	sanitizeLine(host),
	sanitizeLine(version),
	startedAt.toISOString(),
	lastSeenAt.toISOString(),
];

function formatProblem(
	{ stdout }: Pick<Terminal, "stdout">,
	{ severity, code, message, hint }: MachineProblem,
): string {
	const label = style(stdout, severity === "error" ? ["red", "bold"] : "yellow", `${severity}:`);
	return `${label} ${sanitizeLine(message)} (${code})\n  ${sanitizeLine(hint)}\n`;
}

/** Report for a program. Without a data folder its fields are null, and there are no files. */
export function toJson({ checks, folder }: DoctorReport): string {
	const machineProblems = checks.flatMap(({ problem }) => problem ?? []);
	return formatJson({
		checks: checks.map(({ name, result, problem }) => ({ name, result, problem: problem?.code ?? null })),
		folder: folder?.folder ?? null,
		is_served: folder?.isServed ?? null,
		free_bytes: folder?.freeBytes ?? null,
		files: (folder?.files ?? []).map(({ file, workspaceId = null, name = null, bytes, isSound }) => ({
			...{ file, workspace_id: workspaceId, name, bytes },
			is_sound: isSound,
		})),
		instances: (folder?.instances ?? []).map(({ id, host, version, startedAt, lastSeenAt }) => ({
			...{ id, host, version },
			...{ started_at: startedAt.toISOString(), last_seen_at: lastSeenAt.toISOString() },
		})),
		problems: [...machineProblems, ...(folder?.problems ?? [])].map(toJsonProblem),
	});
}

const toJsonProblem = ({
	severity,
	code,
	file,
	workspaceId,
	message,
	hint,
}: DataFolderReport["problems"][number]) => ({
	...{ severity, code, file: file ?? null },
	workspace_id: workspaceId ?? null,
	...{ message, hint },
});
