import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup";
/** Short: a process that has used up its share goes on soon. */
const PERIOD_US = 20_000;

/**
 * Limits processes to a share of a processor, by a control group of Linux: version 2, or else version 1. The processes
 * leave it when it is removed.
 *
 * @param name - of the group, which no other has.
 * @param cores - such as 0.25.
 * @returns undefined where this process may create no such group, as without the rights of root.
 */
export function createQuota(name, cores) {
	const version = VERSIONS.find(
		({ folder, limit }) => existsSync(join(folder, limit)) || limit === "cpu.max",
	);
	const folder = join(version.folder, name);
	try {
		mkdirSync(folder);
	} catch {
		return undefined;
	}
	try {
		for (const [file, value] of version.toLimits(Math.round(PERIOD_US * cores)))
			writeFileSync(join(folder, file), value);
	} catch {
		rmdirSync(folder);
		return undefined;
	}
	return {
		/** Puts a process in; those that it starts from then on are in it, too. */
		add: (pid) => writeFileSync(join(folder, "cgroup.procs"), String(pid)),
		/** Share of its periods so far in which it had used up its quota before their end, with the numbers of both. */
		periods() {
			const stat = Object.fromEntries(
				readFileSync(join(folder, "cpu.stat"), "utf8")
					.trim()
					.split("\n")
					.map((line) => line.split(" ")),
			);
			return { all: Number(stat.nr_periods), throttled: Number(stat.nr_throttled) };
		},
		/** Removes it; all of its processes must have ended. */
		remove: () => rmdirSync(folder),
	};
}

const VERSIONS = [
	{
		folder: join(ROOT, "cpu"),
		limit: "cpu.cfs_quota_us",
		toLimits: (quotaUs) => [
			["cpu.cfs_period_us", String(PERIOD_US)],
			["cpu.cfs_quota_us", String(quotaUs)],
		],
	},
	{
		folder: ROOT,
		limit: "cpu.max",
		toLimits: (quotaUs) => [["cpu.max", `${quotaUs} ${PERIOD_US}`]],
	},
];
