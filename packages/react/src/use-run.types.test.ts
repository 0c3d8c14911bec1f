import type { runtimeAgents, Stemma, StemmaError } from "@stemma/client";
import { expect, expectTypeOf, it } from "vitest";
import { useAsk } from "./use-ask";
import { type UseRunResult, useRun } from "./use-run";

// Types alone: nothing of it is called.
const compiled = (stemma: Stemma, runtime: ReturnType<typeof runtimeAgents>) => {
	const handle = { run_id: "run_1", run_token: "rt_1" };
	expectTypeOf(useRun(stemma.agents, "desk")).toEqualTypeOf<UseRunResult>();
	expectTypeOf(useAsk(stemma.ask).error).toEqualTypeOf<StemmaError | undefined>();
	useRun(stemma.agents, "desk", { runs: stemma.runs, rejoin: handle, onStart: ({ run_id }) => run_id });
	useRun(stemma.agents, "desk", { runs: stemma.runs, rejoin: null });
	const run = useRun(runtime, "desk", { runs: runtime.runs, rejoin: { run_id: "run_1" } });
	// @ts-expect-error: there is nothing to rejoin by.
	useRun(stemma.agents, "desk", { rejoin: handle });
	// @ts-expect-error: a run is given its input by name.
	run.start("How long?");
	// @ts-expect-error: an event of a click is no input.
	const onClick: (event: MouseEvent) => void = run.start;
	return onClick;
};

it("compiles", () => {
	expect(compiled).toBeTypeOf("function");
});
