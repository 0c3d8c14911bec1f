import type { WireRunEvent } from "@stemma/client";
import { expect, it } from "vitest";
import { IDLE_RUN, reduceRun } from "./run-state";
import { createThrottledStore } from "./throttled-store";

const toEvent = (seq: number) => ({ type: "tool.called", seq, callee: "lookup" }) as unknown as WireRunEvent;

it("takes in a burst of 100,000 events with one copy of what came before, and renders twice", () => {
	const events = Array.from({ length: 100_000 }, (_, index) => toEvent(index));
	let copies = 0;
	let notifications = 0;
	const count: typeof reduceRun = (state, batch) => {
		copies += 1;
		return reduceRun(state, batch);
	};
	const live = createThrottledStore(IDLE_RUN, count, () => undefined);
	live.subscribe(() => {
		notifications += 1;
	});
	for (const event of events) live.push(event);
	const state = live.get();
	expect(live.get()).toBe(state);
	expect(state.events).toEqual(events);
	live.push(toEvent(0));
	expect(state.events).toHaveLength(100_000);
	live.set(live.get());
	expect([copies, notifications]).toEqual([2, 1]);
});
