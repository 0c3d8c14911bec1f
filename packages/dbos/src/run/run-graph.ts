import { randomUUID } from "node:crypto";
import type { Approval, ApprovalDecision, RunEvent, RunResult } from "@stemma/core";
import { clock } from "@stemma/core/internal";
import { createEngine, type Engine, type EnginePorts, type EngineRun } from "@stemma/engine";
import { CallLog, settle } from "../calls/call-log";
import type { Journal } from "../journal/journal";
import { createRecordedPorts } from "../ports/recorded-ports";
import { createRecordedHost } from "./recorded-host";
import type { RunDefinition } from "./run-definition";

/** Options of {@link runGraph}. */
export interface RunGraphOptions {
	readonly runId: string;
	readonly definition: RunDefinition;
	readonly ports: EnginePorts;
	readonly journal: Journal;
	readonly onEvent: (event: RunEvent) => void;
}

/** Error of a run that cannot go on in this execution: it was cancelled, or the journal can store no more. */
export class InterruptedRun extends Error {
	/** Result of the run up to here, as cancelled. Undefined where the run may go on in another execution. */
	readonly result: RunResult | undefined;

	constructor(cause: unknown, result: RunResult | undefined) {
		super("The run was interrupted.", { cause });
		this.result = result;
	}
}

/**
 * Runs a graph to its end over a journal: what is stored there is read, and the run goes on from there. Approvals wait for
 * decisions, as long as it takes.
 *
 * @throws InterruptedRun
 */
export async function runGraph(options: RunGraphOptions): Promise<RunResult> {
	const { runId, definition, ports, journal } = options;
	const { at, seed } = await journal.step("begin", async () => ({ at: clock.now(), seed: randomUUID() }));
	const log = new CallLog(journal, at);
	const { graph, limits, maxConcurrentCalls, ...input } = definition;
	const engine = createEngine(graph, {
		ports: createRecordedPorts(ports, log),
		host: createRecordedHost(log, seed),
		limits,
		...(maxConcurrentCalls === null ? {} : { maxConcurrentCalls }),
	});
	const listener = createListener(options.onEvent);
	const controller = new AbortController();
	const common = { onEvent: listener.onEvent, signal: controller.signal };
	let run = engine.start({ ...input, runId, ...common });
	try {
		for (;;) {
			const result = await finishPart(run, log);
			if (result.status !== "paused") return result;
			const decisions = await waitForDecisions(result.approvals ?? [], journal, log);
			run = engine.resume(run.serialize(), { decisions, ...common });
		}
	} catch (error) {
		const isCancelled = journal.isCancellation(error) || !journal.isOpen;
		// It goes on elsewhere: what becomes of it there is not to be said here.
		if (!isCancelled) listener.stop();
		controller.abort();
		throw new InterruptedRun(error, isCancelled ? await cancel(engine, run, common) : undefined);
	}
}

/** Runs until the run ends, or waits for approvals alone. */
async function finishPart(run: EngineRun, log: CallLog): Promise<RunResult> {
	let result: RunResult | undefined;
	void run.result.then((value) => {
		result = value;
	});
	await settle();
	while (result === undefined) await log.deliverNext();
	await log.discard();
	return result;
}

/** Waits for decisions on approvals that are open, until the first of them expires. */
async function waitForDecisions(
	approvals: readonly Approval[],
	journal: Journal,
	log: CallLog,
): Promise<readonly ApprovalDecision[]> {
	await journal.showApprovals(approvals);
	const end = Math.min(...approvals.map(({ expires_at }) => Date.parse(expires_at)));
	const open = new Set(approvals.map(({ id }) => id));
	for (;;) {
		const received = await journal.receiveDecisions(Math.max(0, end - clock.now()));
		log.moveTo(received === undefined ? end : await journal.step("clock", async () => clock.now()));
		// Others were sent twice, or too late.
		const decisions = (received ?? []).filter(({ approval_id }) => open.has(approval_id));
		if (received !== undefined && decisions.length === 0) continue;
		await journal.showApprovals([]);
		return firstOfEach(decisions);
	}
}

const firstOfEach = (decisions: readonly ApprovalDecision[]): readonly ApprovalDecision[] =>
	decisions.filter(
		({ approval_id }, index) => decisions.findIndex((other) => other.approval_id === approval_id) === index,
	);

/** The result of a run that was cancelled; one that was paused is resumed for it. */
async function cancel(
	engine: Engine,
	run: EngineRun,
	options: Parameters<Engine["resume"]>[1],
): Promise<RunResult> {
	const result = await run.result;
	return result.status === "paused" ? engine.resume(run.serialize(), options).result : result;
}

/** A listener that throws, or has left, does not end the run. */
function createListener(listener: (event: RunEvent) => void) {
	let isStopped = false;
	return {
		onEvent(event: RunEvent): void {
			if (!isStopped) listener(event);
		},
		stop(): void {
			isStopped = true;
		},
	};
}
