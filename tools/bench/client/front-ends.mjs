import { createAgUiEncoder } from "../../../packages/client/dist/ag-ui.js";
import { createUIMessageEncoder, formatChunk } from "../../../packages/client/dist/ai-sdk.js";
import { loadServiceEncoders } from "./service-encoders.mjs";

const RUN = { run_id: "run_01m861h5kqe9asb7jevxhwbrjy", at: "2026-01-01T00:00:00.000Z" };
const DESK = { node: "desk", invocation: 1 };

/** JSON of the events of a run whose answer comes in so many pieces, as the event log has them. */
function createLog(pieces) {
	const result = {
		run_id: RUN.run_id,
		status: "completed",
		output: null,
		citations: [],
		usage: { input_tokens: 1, output_tokens: 1, model_calls: 1, steps: 1 },
		receipt: [],
	};
	const events = [
		{ type: "run.started" },
		...Array.from({ length: pieces }, (_, n) => ({
			type: "text.delta",
			...DESK,
			text: `word${n} `,
			final: true,
		})),
		{ type: "run.completed", result },
	];
	return events.map((event, index) => JSON.stringify({ ...event, ...RUN, seq: index + 1 }));
}

/** Chunks that are JSON already go as they are. */
const format = (chunk) => (typeof chunk === "string" ? `data: ${chunk}\n\n` : formatChunk(chunk));

const ENCODERS = {
	"AI SDK": () => createUIMessageEncoder(),
	"AG-UI": () => createAgUiEncoder({ threadId: "thread", runId: "run" }),
};

/** Processor time that each protocol takes for one event, from the JSON of the log to that of the stream; the best round. */
export async function measureFrontEnds({ pieces, rounds }) {
	const log = createLog(pieces);
	return Object.entries({ ...ENCODERS, ...(await loadServiceEncoders()) }).map(([protocol, create]) => {
		let best = Number.POSITIVE_INFINITY;
		for (let round = 0; round < rounds; round++) {
			const encode = create();
			let length = 0;
			const before = process.cpuUsage();
			for (const json of log) for (const chunk of encode(JSON.parse(json))) length += format(chunk).length;
			const { user, system } = process.cpuUsage(before);
			if (length === 0) throw new Error(`${protocol} has sent nothing.`);
			best = Math.min(best, (user + system) / log.length);
		}
		return { protocol, microseconds: best };
	});
}
