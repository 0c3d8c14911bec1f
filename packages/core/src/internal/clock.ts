/** Time in milliseconds since 1970 that never goes back. */
export interface Clock {
	/** Current time: the time of day, or where that was set back, the time that has passed since. */
	now(): number;
	/** Continues from a later time, such as the last one that an earlier process has stored. */
	advanceTo(time: number): void;
}

/**
 * Creates a clock that follows the time of day forward, and goes on at its own pace where that is set back.
 *
 * @param timeOfDay - in milliseconds since 1970.
 * @param elapsed - milliseconds since any moment, from a clock that nobody sets.
 */
export function createClock(
	timeOfDay: () => number = () => Date.now(),
	elapsed: () => number = () => performance.now(),
): Clock {
	let last = 0;
	let measuredAt = 0;
	return {
		now() {
			const measured = elapsed();
			last = Math.max(timeOfDay(), last + Math.max(0, measured - measuredAt));
			measuredAt = measured;
			return Math.floor(last);
		},
		advanceTo(time) {
			last = Math.max(last, time);
			measuredAt = elapsed();
		},
	};
}

/** Clock of this process: times that are compared with one another come from one clock. */
export const clock: Clock = /* @__PURE__ */ createPlatformClock();

/** Starts anew where test runners replace `Date` by fake timers, and where they bring it back. */
function createPlatformClock(): Clock {
	let platformDate = Date;
	let current = createClock();
	function getCurrent(): Clock {
		if (platformDate !== Date) {
			platformDate = Date;
			current = createClock();
		}
		return current;
	}
	return { now: () => getCurrent().now(), advanceTo: (time) => getCurrent().advanceTo(time) };
}
