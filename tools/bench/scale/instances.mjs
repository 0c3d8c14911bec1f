import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startService } from "../service/start-service.mjs";
import { createQuota } from "./processor-quota.mjs";

/**
 * Instances of the service on one database, each with a data folder and a share of a processor of its own. The share is
 * theirs once they have started.
 *
 * @param settings - of the configuration of each.
 * @param options - `cores`: share of a processor of each, ignored where this process may not limit it, see `isLimited`;
 * `root`: the clone whose service it is, by default this one.
 */
export function createInstances(settings, { cores, root }) {
	const started = [];

	async function add() {
		const folder = mkdtempSync(join(tmpdir(), "stemma-bench-instance-"));
		const service = await startService(folder, settings, root, started[0]?.service.token);
		started.push({ folder, service, quota: undefined });
	}

	function limit() {
		for (const instance of started) {
			if (instance.quota !== undefined) continue;
			instance.quota = createQuota(`stemma-bench-${instance.service.pid}`, cores);
			instance.quota?.add(instance.service.pid);
		}
	}

	return {
		/** Starts more until there are so many, and limits all of them. */
		async grow(count) {
			while (started.length < count) await add();
			limit();
		},
		/** Starts the first one, without a limit. */
		start: add,
		get all() {
			return started.map(({ service }) => service);
		},
		get isLimited() {
			return started.every(({ quota }) => quota !== undefined);
		},
		/** Processor time of each so far, in milliseconds. */
		cpus: () => started.map(({ service }) => service.cpuWithChildren()),
		/** Periods of all of their quotas so far, and those in which one was used up. */
		periods() {
			const all = started.map(({ quota }) => quota?.periods() ?? { all: 0, throttled: 0 });
			const total = (name) => all.reduce((sum, periods) => sum + periods[name], 0);
			return { all: total("all"), throttled: total("throttled") };
		},
		async stop() {
			for (const { service, folder, quota } of started) {
				await service.stop();
				quota?.remove();
				rmSync(folder, { recursive: true, force: true });
			}
		},
	};
}
