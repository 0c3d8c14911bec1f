import { type MetricsAccess, requireMetricsAccess } from "../http/auth/metrics-access";
import { describeRoute } from "../http/describe-route";
import type { ServiceApp } from "../http/service-context";
import type { ServiceKernel } from "../kernel";
import type { SharedByInstances } from "../store/instances/shared-by-instances";
import type { GaugeValues } from "../telemetry/gauges";

const description = describeRoute({
	summary: "Read metrics in the text format of Prometheus",
	responses: { 200: { "text/plain": "text" } },
	errors: ["metrics_token_required", "invalid_token"],
});

/** `GET /metrics`: figures of the deployment in the text format of Prometheus, for its operators alone. */
export function addMetricsRoute(
	app: ServiceApp,
	access: MetricsAccess,
	readDatabaseConnections?: SharedByInstances["readDatabaseConnections"],
): void {
	app.get("/metrics", description, requireMetricsAccess(access), async (context) => {
		const kernel = context.get("kernel");
		const text = kernel.telemetry.metrics.write(await readGauges(kernel, readDatabaseConnections));
		return context.body(text, 200, {
			"content-type": "text/plain; version=0.0.4; charset=utf-8",
			"cache-control": "no-store",
		});
	});
}

/** Measures a deployment. */
async function readGauges(
	kernel: ServiceKernel,
	readDatabaseConnections: SharedByInstances["readDatabaseConnections"] | undefined,
): Promise<GaugeValues> {
	const { workspaces, modelCallQueue, inFlight, disk } = kernel;
	const all = workspaces.list();
	const [queued, paused] = await Promise.all([
		Promise.all(all.map(({ knowledge }) => knowledge.countQueued())),
		Promise.all(all.map(({ store }) => store.runs.listIds("paused"))),
	]);
	const space = disk.readSpace();
	return {
		workspaces: all.length,
		workspacesUnavailable: workspaces.listUnavailable().length,
		runsRunning: sum(all.map(({ runs }) => runs.running())),
		runsPaused: sum(paused.map(({ length }) => length)),
		ingestQueued: sum(queued),
		modelCallsQueued: modelCallQueue.queued,
		requestsInFlight: inFlight.size,
		diskFreeBytes: space.freeBytes,
		diskReserveBytes: space.reserveBytes,
		database: readDatabaseConnections?.(),
	};
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);
