import { clock, createIdGenerator, MAX_TIMER_MS, randomBytes } from "@stemma/core/internal";
import type { EngineHost } from "@stemma/engine";

/** The clock, timers and chance of whatever platform this is; looked up when they are needed. */
export const platformHost: EngineHost = {
	now: clock.now,
	setTimer(milliseconds, callback) {
		const timer = setTimeout(callback, Math.min(milliseconds, MAX_TIMER_MS));
		return () => clearTimeout(timer);
	},
	createId: createIdGenerator(clock.now, randomBytes),
};
