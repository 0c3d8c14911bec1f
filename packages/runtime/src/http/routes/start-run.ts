import type { TraceContext } from "@stemma/core";
import { ConfigurationError } from "@stemma/core/errors";
import type { ReadyEntry } from "../../agents/catalog";
import type { RunInput } from "../../agents/runnable-agent";
import type { Run } from "../../runs/run";
import type { RunRegistry } from "../../runs/run-registry";
import { HttpError } from "../http-error";
import { toStartError } from "./service-error";

/**
 * Starts a run of an agent that is ready.
 *
 * @param depth - hops that the request has behind it.
 * @param traceContext - the request's place in a trace.
 * @throws HttpError when nothing was started.
 */
export type StartRun = (
	entry: ReadyEntry,
	input: RunInput,
	depth: number,
	traceContext?: TraceContext | undefined,
) => Promise<Run>;

/**
 * Default limit of runs at once: so many keep a process of half a gigabyte busy, although each waits most of its time
 * for a model.
 */
export const MAX_RUNS = 1_000;

export interface StartRunOptions {
	readonly registry: Pick<RunRegistry, "start" | "counts">;
	readonly isClosing: () => boolean;
	/** Maximum number of runs in progress at once; runs that wait for approvals do not count. */
	readonly maxRuns: number;
}

/** @throws ConfigurationError for a most that is none. */
export function createStartRun({ registry, isClosing, maxRuns }: StartRunOptions): StartRun {
	if (!Number.isSafeInteger(maxRuns) || maxRuns < 1)
		throw new ConfigurationError(`${maxRuns} is not a number of runs.`, {
			option: "maxRuns",
			hint: "Set --max-runs (option `maxRuns`) to a whole number from 1.",
		});
	return async (entry, input, depth, traceContext) => {
		if (isClosing()) throw shuttingDown();
		if (registry.counts().running >= maxRuns) throw tooManyRuns(maxRuns);
		const subject = { agentId: entry.id, agentVersion: entry.revision };
		try {
			return await registry.start({ agent: entry.agent, subject, input, depth: depth + 1, traceContext });
		} catch (error) {
			throw toStartError(error, entry) ?? error;
		}
	};
}

/** The answer of a runtime that takes no new runs. */
export const shuttingDown = (): HttpError =>
	new HttpError(503, "The runtime is shutting down.", {
		code: "shutting_down",
		hint: "Try again in a few seconds.",
		retryAfterSeconds: 5,
	});

const tooManyRuns = (maxRuns: number): HttpError =>
	new HttpError(429, `${maxRuns} runs are active, the maximum of this runtime.`, {
		code: "too_many_runs",
		hint: "Try again in a second. The operator can allow more: --max-runs (option `maxRuns`).",
		retryAfterSeconds: 1,
	});
