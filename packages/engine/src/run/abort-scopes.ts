/**
 * Scopes that can be aborted together: the whole run, and within it siblings that become useless when one of them
 * fails.
 */
export interface AbortScopes {
	/** Aborts with the scope, and with all that this one is within. */
	signalOf(scope: number): AbortSignal;
	/** Aborts the scope, and all within it. */
	abort(scope: number): void;
	open(scope: number, within: number): void;
	/**
	 * Returns a signal that aborts with the scope and also at the end of the run: tools may continue after their
	 * result.
	 */
	toolSignalOf(scope: number): AbortSignal;
	/** Aborts the tools that are still running: the run no longer waits for them. */
	end(): void;
}

/** One for all: an exception with a stack of its own at every end of a run was 6 % of what runs with tools cost. */
const ABORTED: Error = Object.assign(new Error("The run ended, or the result is no longer wanted."), {
	name: "AbortError",
});

export function createAbortScopes(): AbortScopes {
	const root = new AbortController();
	let scopes: Map<number, AbortController> | undefined;
	let toolControllers: Map<number, AbortController> | undefined;
	const controllerOf = (scope: number): AbortController => scopes?.get(scope) ?? root;

	return {
		signalOf: (scope) => controllerOf(scope).signal,
		abort: (scope) => controllerOf(scope).abort(ABORTED),
		open(scope, within) {
			scopes ??= new Map();
			scopes.set(scope, createChildController(controllerOf(within)));
		},
		toolSignalOf(scope) {
			toolControllers ??= new Map();
			const known = toolControllers.get(scope) ?? createChildController(controllerOf(scope));
			toolControllers.set(scope, known);
			return known.signal;
		},
		end() {
			if (toolControllers !== undefined)
				for (const controller of toolControllers.values()) controller.abort(ABORTED);
		},
	};
}

/** Aborts with the outer one, and may be aborted alone. */
function createChildController(outer: AbortController): AbortController {
	const controller = new AbortController();
	if (outer.signal.aborted) controller.abort(ABORTED);
	else outer.signal.addEventListener("abort", () => controller.abort(ABORTED), { once: true });
	return controller;
}

/** Creates a signal that follows the outer one until it is released, and can be aborted alone. */
export function linkSignal(outer: AbortSignal) {
	const controller = new AbortController();
	const abort = (): void => controller.abort(ABORTED);
	if (outer.aborted) abort();
	else outer.addEventListener("abort", abort, { once: true });
	return {
		signal: controller.signal,
		abort,
		release: (): void => outer.removeEventListener("abort", abort),
	};
}
