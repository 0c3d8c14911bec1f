import type { CallCommand } from "./command";
import type { RunState } from "./run-state";

// Of the calls of a run only so many are in flight at once; the others wait in order. Whoever called and waits for an answer
// is not in flight, so that nested calls cannot wait for one another.

/** Begins a call, or has it wait for its turn. */
export function enqueueCall(run: RunState, command: CallCommand): void {
	run.pendingCalls.add(command);
	if (run.queuedCalls.length === 0 && run.inFlight < run.limits.maxConcurrentCalls)
		dispatchCall(run, command);
	else run.queuedCalls.push(command);
}

function dispatchCall(run: RunState, command: CallCommand): void {
	command.isInFlight = true;
	run.inFlight += 1;
	run.commands.push(command);
}

/** Begins those whose turn it is, once others have ended. */
export function startQueuedCalls(run: RunState): void {
	if (!run.isReady) return;
	while (run.queuedCalls.length > 0 && run.inFlight < run.limits.maxConcurrentCalls) {
		const next = run.queuedCalls.shift();
		if (next !== undefined) dispatchCall(run, next);
	}
}

/** @returns whether the call was one of this run's. */
export function endCall(run: RunState, command: CallCommand): boolean {
	releaseSlot(run, command);
	return run.pendingCalls.delete(command);
}

function releaseSlot(run: RunState, command: CallCommand): void {
	if (command.isInFlight) run.inFlight -= 1;
	command.isInFlight = false;
}

/** Takes back a call that was not begun yet. */
export function dequeueCall(run: RunState, command: CallCommand): boolean {
	if (!remove(run.commands, command) && !remove(run.queuedCalls, command)) return false;
	endCall(run, command);
	return true;
}

/** Discards a call that nothing waits for any more. The tokens of a remote agent are still recorded. */
export function discardCall(run: RunState, command: CallCommand): void {
	if (dequeueCall(run, command)) return;
	releaseSlot(run, command);
	if (command.type === "tool") run.pendingCalls.delete(command);
}

function remove<Item>(list: Item[], item: Item): boolean {
	const index = list.indexOf(item);
	if (index !== -1) list.splice(index, 1);
	return index !== -1;
}
