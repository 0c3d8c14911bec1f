import { setTimeout as sleep } from "node:timers/promises";
import { readHeap } from "./read-heap.mjs";
import { createReplyModel, createScriptedModel } from "./scripted-model.mjs";

/** What a model answers when its gate opens, and not before. */
function createWaitingModel() {
	const replyModel = createReplyModel();
	let open = () => undefined;
	const gate = new Promise((resolve) => {
		open = resolve;
	});
	let waiting = 0;
	return {
		...createScriptedModel(() => undefined),
		async *stream(request) {
			waiting += 1;
			await gate;
			yield* replyModel.stream(request);
		},
		waiting: () => waiting,
		open,
	};
}

/**
 * The heap that a run takes while its first model is thinking. Needs `--expose-gc`.
 *
 * @param prepare - gives a subject whose first node asks the model that it is given.
 * @returns bytes a run.
 */
export async function measureMemory(prepare, runs) {
	const first = createWaitingModel();
	await startAll(prepare(first), first, Math.ceil(runs / 10));
	const replyModel = createWaitingModel();
	const subject = prepare(replyModel);
	const before = await readHeap();
	const ended = await startAll(subject, replyModel, runs);
	const after = await readHeap();
	replyModel.open();
	first.open();
	await Promise.all(ended);
	return (after - before) / runs;
}

/** Resolves with the runs once all of them wait for their model. */
async function startAll({ run }, replyModel, count) {
	const ended = Array.from({ length: count }, () => run());
	while (replyModel.waiting() < count) await sleep(5);
	return ended;
}
