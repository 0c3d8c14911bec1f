import { type MetricsAccess, requireMetricsAccess } from "../http/auth/metrics-access";
import { describeRoute } from "../http/describe-route";
import type { ServiceApp } from "../http/service-context";
import type { ServiceKernel } from "../kernel";
import type { GaugeValues } from "../telemetry/service-metrics";

const description = describeRoute({
	summary: "Read metrics in the text format of Prometheus",
	responses: { 200: { "text/plain": "text" } },
	errors: ["metrics_token_required", "invalid_token"],
});

/** `GET /metrics`: figures of the deployment in the text format of Prometheus, for its operators alone. */
export function addMetricsRoute(app: ServiceApp, access: MetricsAccess): void {
	app.get("/metrics", description, requireMetricsAccess(access), async (context) => {
		const kernel = context.get("kernel");
		const text = kernel.telemetry.metrics.write(await measure(kernel));
		return context.body(text, 200, {
			"content-type": "text/plain; version=0.0.4; charset=utf-8",
			"cache-control": "no-store",
		});
	});
}

async function measure({ workspaces }: ServiceKernel): Promise<GaugeValues> {
	const all = workspaces.list();
	const queued = await Promise.all(all.map(({ knowledge }) => knowledge.countQueued()));
	return {
		workspaces: all.length,
		runsRunning: all.reduce((sum, { runs }) => sum + runs.running(), 0),
		ingestQueued: queued.reduce((sum, count) => sum + count, 0),
	};
}
