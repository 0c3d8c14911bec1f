import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStopSignal } from "./stop-signal";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const before = SIGNALS.map((name) => process.listeners(name));
let exit: ReturnType<typeof vi.spyOn>;
beforeEach(() => {
	exit = vi.spyOn(process, "exit").mockImplementation(() => undefined as never);
});
afterEach(() => {
	exit.mockRestore();
	for (const [index, name] of SIGNALS.entries())
		for (const listener of process.listeners(name))
			if (!before[index]?.includes(listener)) process.removeListener(name, listener);
});

it.each([
	["SIGINT", "SIGINT", 130],
	["SIGTERM", "SIGTERM", 143],
	["SIGINT", "SIGTERM", 143],
] as const)("stops in order at %s, and at once at a %s after it", (first, second, code) => {
	const signal = createStopSignal();
	process.emit(first, first);
	expect([signal.aborted, exit.mock.calls]).toEqual([true, []]);
	process.emit(second, second);
	expect(exit.mock.calls).toEqual([[code]]);
});
