import type { ReceiptRow, RunResult } from "@stemma/core";
import { RunMeter, writeGauge, writeProcessMetrics } from "@stemma/telemetry";
import { STEMMA_VERSION } from "../stemma-version";
import { createEventLoopDelay } from "./event-loop-delay";
import { type GaugeValues, writeGauges } from "./gauges";
import { createInstruments, type Instruments } from "./instruments";
import { toRefusedSignIn } from "./refused-sign-in";

/** Documents and passages that one transaction has stored. */
export interface IngestCounts {
	/** Documents that are whole in the store now. */
	readonly completed: number;
	readonly failed: number;
	readonly passages: number;
}

/** Figures of a deployment, for `GET /metrics`. No label names a workspace, a caller, an agent or a model. */
export interface ServiceMetrics {
	/** @param route - its pattern, never a path. */
	countRequest(
		request: { readonly method: string; readonly route: string },
		status: number,
		ms: number,
	): void;
	/** @param code - of an error that a response has. */
	countError(code: string): void;
	/** Counts a stream of events. @returns what to call once, at its end. */
	openStream(): () => void;
	countCall(row: ReceiptRow, isFailed: boolean): void;
	createRunMeter(): RunMeter;
	/** Counts the end of a run that no event tells its meter of, such as one that waited for a person. Its time is not measured. */
	countRunEnd(status: RunResult["status"]): void;
	/** Counts runs in progress that other instances have taken over. */
	countLostRuns(count: number): void;
	observeRetrieval(ms: number): void;
	observeWrite(ms: number): void;
	countIngested(counts: IngestCounts): void;
	countSync(status: "succeeded" | "failed"): void;
	write(now: GaugeValues): string;
	stop(): void;
}

export function createServiceMetrics(): ServiceMetrics {
	const instruments = createInstruments();
	const { http, runs, models } = instruments;
	const delay = createEventLoopDelay();
	let openStreams = 0;
	return {
		countRequest({ method, route }, status, ms) {
			http.requests.add({ method, route, status: String(status) });
			http.duration.observe({ method, route }, ms / 1000);
			const refused = toRefusedSignIn({ method, route }, status);
			if (refused !== undefined) http.refusedSignIns.add({ ...refused });
		},
		countError: (code) => http.errors.add({ code }),
		openStream() {
			openStreams += 1;
			let isOpen = true;
			return () => {
				if (isOpen) openStreams -= 1;
				isOpen = false;
			};
		},
		countCall({ provider, stage, payer, input_tokens, output_tokens, ms }, isFailed) {
			models.calls.add({ provider, stage, payer, outcome: isFailed ? "failed" : "completed" });
			models.tokens.add({ provider, payer, direction: "input" }, input_tokens);
			models.tokens.add({ provider, payer, direction: "output" }, output_tokens);
			models.duration.observe({ provider, stage }, ms / 1000);
		},
		createRunMeter: () => new RunMeter(runs, {}),
		countRunEnd: (status) => runs.ended.add({ status }),
		countLostRuns: (count) => runs.lost.add({}, count),
		...createStoreMetrics(instruments),
		write: (now) =>
			[
				writeGauge("stemma_service_info", "The version of the service.", [[{ version: STEMMA_VERSION }, 1]]),
				...Object.values(instruments).flatMap((group) =>
					Object.values(group).map((metric) => metric.write()),
				),
				writeGauges(now),
				writeGauge("stemma_streams_open", "Streams of events that are being sent.", [[{}, openStreams]]),
				delay.write(),
				writeProcessMetrics(),
			].join(""),
		stop: delay.stop,
	};
}

const createStoreMetrics = ({
	store,
}: Instruments): Pick<
	ServiceMetrics,
	"observeRetrieval" | "observeWrite" | "countIngested" | "countSync"
> => ({
	observeRetrieval: (ms) => store.retrievals.observe({}, ms / 1000),
	observeWrite: (ms) => store.writes.observe({}, ms / 1000),
	countIngested({ completed, failed, passages }) {
		if (completed > 0) store.documents.add({ outcome: "completed" }, completed);
		if (failed > 0) store.documents.add({ outcome: "failed" }, failed);
		store.passages.add({}, passages);
	},
	countSync: (status) => store.syncs.add({ outcome: status === "succeeded" ? "completed" : "failed" }),
});
