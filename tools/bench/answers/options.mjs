import { parseArgs } from "node:util";

const QUICK_QUESTIONS = 100;

/** Options of the command line; each has the same meaning in `answers` and in `retrieval`. */
export function readOptions() {
	const { values } = parseArgs({
		options: {
			quick: { type: "boolean", default: false },
			verbose: { type: "boolean", default: false },
			curve: { type: "boolean", default: false },
			half: { type: "string" },
			sets: { type: "string" },
			settings: { type: "string", default: "{}" },
			embedded: { type: "boolean", default: false },
			// `retrieval` alone.
			postgres: { type: "boolean", default: false },
		},
	});
	if (values.half !== undefined && !["choose", "report"].includes(values.half))
		throw new Error("--half takes `choose` (to choose constants on) or `report` (to report figures of).");
	return {
		...values,
		/** Most questions of a set; a fixed sample where it has more. */
		maxQuestions: values.quick ? QUICK_QUESTIONS : Number.POSITIVE_INFINITY,
		setNames: values.sets?.split(","),
		/** Configuration of the service, besides that of all benchmarks. */
		settings: {
			...(values.embedded && { embeddings: { provider: "embedded" } }),
			...JSON.parse(values.settings),
		},
	};
}
