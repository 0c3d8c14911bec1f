import { toTable } from "../engine/table.mjs";

const number = (value) => value.toLocaleString("en", { maximumFractionDigits: value < 20 ? 2 : 0 });
const sum = (numbers) => numbers.reduce((total, value) => total + value, 0);
const percent = (share) => `${Math.round(share * 100)} %`;

const rate = ({ count, seconds }) => count / seconds;
const each = (work, value) => number(value / work.count);
/** @param times - undefined where there are none. */
const quantiles = (times) => (times === undefined ? "" : `${number(times.p50)} ms; ${number(times.p95)} ms`);

/** Rows of something that clients do again and again. */
function toRows(name, works) {
	const [first] = works;
	return [
		[`${name} a second`, ...works.map((work) => number(rate(work)))],
		["… times those of one instance", ...works.map((work) => number(rate(work) / rate(first)))],
		["… p50; p95", ...works.map(quantiles)],
		["… processor time of each: instances", ...works.map((work) => `${each(work, sum(work.cpuMs))} ms`)],
		["… Postgres", ...works.map((work) => `${each(work, work.postgresCpuMs)} ms`)],
		["… statements of each", ...works.map((work) => each(work, work.statements))],
		[
			"… transactions that write; that notify within",
			...works.map((work) => `${each(work, work.writes)}; ${each(work, work.notifyingWrites)}`),
		],
		["… bytes of WAL of each", ...works.map((work) => each(work, work.walBytes))],
		[
			"… periods in which an instance had used up its share",
			...works.map((work) => percent(work.throttledShare)),
		],
	];
}

export function toInstancesTable(deployments) {
	const of = (name) => deployments.map((deployment) => deployment[name]);
	const events = of("events");
	return toTable(
		["instances", ...deployments.map(({ instances }) => String(instances))],
		[
			...toRows("runs", of("runs")),
			...toRows("runs of one workspace", of("runsOfOneWorkspace")).slice(0, 3),
			...toRows("searches", of("searches")),
			...toRows("questions", of("questions")),
			[
				"event of a run on another instance, later than on its own, p50; p95",
				...events.map(({ later }) => quantiles(later)),
			],
			["… statements of each event", ...events.map((work) => each(work, work.statements))],
			[
				"idle: processor time of an instance in a second",
				...of("idle").map(({ cpuMs, seconds }) => `${number(sum(cpuMs) / cpuMs.length / seconds)} ms`),
			],
		],
	);
}

export function toServerTable({ commits, passages, streamBytes }) {
	return toTable(
		["one instance without a limit; Postgres alone", ""],
		[
			["passages a second", number(rate(passages))],
			[
				"… processor time of each: instance; Postgres",
				`${each(passages, sum(passages.cpuMs))} ms; ${each(passages, passages.postgresCpuMs)} ms`,
			],
			["… bytes of WAL of each", each(passages, passages.walBytes)],
			["memory of an open stream", `${number(streamBytes / 1024)} KiB`],
			["commits a second on 32 connections", number(commits.plain)],
			["… that notify within", number(commits.notifying)],
			["… that notify after it, on one connection", number(commits.notifyingAfter)],
		],
	);
}
