import { rmSync } from "node:fs";
import { writeAgentFiles } from "./agent-files.mjs";
import { startChild } from "./child.mjs";
import { runtimeProcess, startProcess } from "./server-process.mjs";
import { followStreams } from "./streams.mjs";

const CHAT = JSON.stringify({ model: "default", messages: [], stream: true });

/**
 * Streaming runs of the real runtime over a service's stand-in, and the same streams read from the stand-in itself.
 *
 * @returns `through` and `direct`: `p50` and `p99` in milliseconds; and the highest resident `memory` of the runtime in MB.
 */
export async function measureRuns({ runs, eventsASecond, seconds }) {
	const direct = await withService(eventsASecond, (service) =>
		follow(service, [`${service.ready.url}/v1/chat/completions`, CHAT], { runs, seconds }),
	);
	return { direct, ...(await measureRuntime({ runs, eventsASecond, seconds })) };
}

async function measureRuntime({ runs, eventsASecond, seconds }) {
	const folder = writeAgentFiles(100);
	try {
		return await withService(eventsASecond, async (service) => {
			const runtime = await startProcess(runtimeProcess(folder, service.ready.url));
			let memory = 0;
			const sampling = setInterval(() => {
				memory = Math.max(memory, runtime.memory());
			}, 500);
			try {
				const through = await follow(service, [`${runtime.url}/run/chatter`], { runs, seconds });
				return { through, memory };
			} finally {
				clearInterval(sampling);
				await runtime.stop();
			}
		});
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

async function withService(eventsASecond, work) {
	const service = await startChild("service", [eventsASecond]);
	try {
		return await work(service);
	} finally {
		await service.stop();
	}
}

async function follow(service, args, { runs, seconds }) {
	const client = await startChild("stream-client", args);
	try {
		await client.ask({ type: "open", count: runs });
		await service.ask("start");
		return await followStreams(client, seconds);
	} finally {
		await client.stop();
	}
}
