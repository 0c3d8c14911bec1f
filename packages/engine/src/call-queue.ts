import type { CallCommand } from "./command";
import type { RunState } from "./run-state";

// Of the calls of a run only so many are out at once; the others wait in order. Whoever called and waits for an answer
// is not out, so that nested calls cannot wait for one another.

/** Begins a call, or has it wait for its turn. */
export function planCall(run: RunState, command: CallCommand): void {
	run.calls.add(command);
	if (run.waiting.length === 0 && run.out < run.limits.maxConcurrentCalls) begin(run, command);
	else run.waiting.push(command);
}

function begin(run: RunState, command: CallCommand): void {
	command.isOut = true;
	run.out += 1;
	run.commands.push(command);
}

/** Begins those whose turn it is, once others have ended. */
export function releaseCalls(run: RunState): void {
	if (!run.isReady) return;
	while (run.waiting.length > 0 && run.out < run.limits.maxConcurrentCalls) {
		const next = run.waiting.shift();
		if (next !== undefined) begin(run, next);
	}
}

/** @returns whether the call was one of this run's. */
export function endCall(run: RunState, command: CallCommand): boolean {
	leave(run, command);
	return run.calls.delete(command);
}

function leave(run: RunState, command: CallCommand): void {
	if (command.isOut) run.out -= 1;
	command.isOut = false;
}

/** Takes back a call that was not begun yet. */
export function unplanCall(run: RunState, command: CallCommand): boolean {
	if (!remove(run.commands, command) && !remove(run.waiting, command)) return false;
	endCall(run, command);
	return true;
}

/** Nobody waits for the call any more. What a remote agent has spent is still taken note of. */
export function abandonCall(run: RunState, command: CallCommand): void {
	if (unplanCall(run, command)) return;
	leave(run, command);
	if (command.type === "tool") run.calls.delete(command);
}

function remove<Item>(list: Item[], item: Item): boolean {
	const index = list.indexOf(item);
	if (index !== -1) list.splice(index, 1);
	return index !== -1;
}
