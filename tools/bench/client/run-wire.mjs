const RUN = { run_id: "run_01m7z1wxkcf8mbdh6tmpd45gaj", at: "2026-11-21T12:00:00.000Z" };

/** A run's stream, `text/event-stream`, with an event for each delta. */
export function writeRun(deltas) {
	const result = {
		run_id: RUN.run_id,
		status: "completed",
		output: deltas.join(""),
		citations: [],
		usage: { input_tokens: 20, output_tokens: deltas.length, model_calls: 1, steps: 2 },
		receipt: [],
	};
	const text = deltas.map((delta) => ({
		type: "text.delta",
		node: "desk",
		invocation: 1,
		text: delta,
		final: true,
	}));
	const events = [{ type: "run.started", agent: "desk" }, ...text, { type: "run.completed", result }];
	return Buffer.from(events.map((event, index) => toSse({ ...event, ...RUN, seq: index + 1 })).join(""));
}

const toSse = (event) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
