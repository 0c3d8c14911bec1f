import { listUnexpected } from "./bounds.ts";
import type { Comparison, TrialReport } from "./trial.ts";

const MEBIBYTE = 2 ** 20;

/** The report of a trial as a table for people. */
export function printReport(report: TrialReport, limit: string): string {
	const { others, peakBytes, disk, crash, stop, attacks } = report;
	const sum = attacks.attacks.reduce((total, { count }) => total + count, 0);
	return [
		...toTable(
			["", "idle p50", "p95", "attacked p50", "p95", "p99", "slowest", "ratio", "count", "failed"],
			[...report.operations, report.control].map(toRow),
		),
		"",
		`${attacks.attacks.length} attacks, ${sum} requests in ${report.options.seconds} s (seed ${report.options.seed})`,
		`memory: at most ${peakBytes === undefined ? "unknown" : Math.round(peakBytes / MEBIBYTE)} MiB resident, of 1024 (${limit})`,
		`disk: ${toMebibytes(disk.before)} MiB before, ${toMebibytes(disk.peak)} at most, ${toMebibytes(disk.after)} after`,
		`other processes on this machine: ${Math.round(others.idle * 100)} % of its cores idle, ${Math.round(others.attacked * 100)} % attacked`,
		crash === undefined ? `SIGTERM: ${stop.ending} after ${stop.ms} ms` : `ended under attack: ${crash}`,
	].join("\n");
}

/** Outcomes of every attack, one line each; those that were not expected are marked. */
export function printAttacks({ attacks }: TrialReport): string {
	return attacks.attacks
		.map((stats) => {
			const outcomes = Object.entries(stats.outcomes)
				.sort(([, one], [, other]) => other - one)
				.map(([outcome, count]) => `${count} × ${outcome}`);
			const mark = listUnexpected(stats).length > 0 ? "!" : " ";
			return `${mark} ${stats.name.padEnd(32)} slowest ${String(stats.slowestMs).padStart(6)} ms  ${outcomes.join(", ")}`;
		})
		.join("\n");
}

const toMebibytes = (bytes: number): number => Math.round(bytes / MEBIBYTE);

const toRow = ({ name, idle, attacked }: Comparison): string[] =>
	[
		name,
		idle.p50,
		idle.p95,
		attacked.p50,
		attacked.p95,
		attacked.p99,
		attacked.slowest,
		(attacked.p95 / idle.p95).toFixed(1),
		attacked.count,
		attacked.failed,
	].map(String);

function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
	const widths = head.map((title, column) =>
		Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
	);
	return [head, ...rows].map((row) =>
		row
			.map((cell, column) =>
				column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
			)
			.join("  "),
	);
}
